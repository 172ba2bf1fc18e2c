import { openMeters } from '../meters/registry.ts';

/** Idle times around a run, as an experiment file writes them. */
export interface Pauses {
  readonly rest: string;
  readonly guard: string;
}

/** A counter or a model is read at the edges of the window themselves: nothing has to settle. */
const SHORT: Pauses = { rest: '1s', guard: '200ms' };
const LONG_REST_S = 20;
const LONG_GUARD_S = 3;

/** The pauses that suit the meters of these names, which are opened and closed for it. Throws InputError and MeasureError as `openMeters`. */
export async function pausesFor(names: readonly string[]): Promise<Pauses> {
  const { meters } = await openMeters(names);
  const guardS = Math.max(...meters.map(({ info }) => info.minimumGuardS));
  await Promise.all(meters.map((meter) => meter.stop()));
  if (guardS === 0) return SHORT;
  return { rest: `${LONG_REST_S}s`, guard: `${Math.max(LONG_GUARD_S, guardS)}s` };
}
