import * as z from 'zod';
import { command, map } from '../../input/leaves.ts';
import type { Command } from '../variant.ts';

/** Whether Docker's engine runs beside a variant's runs. `stop`, `start`: its commands; null: those of the service manager. */
export type EngineState =
  | { readonly state: 'running' }
  | { readonly state: 'stopped'; readonly stop: Command | null; readonly start: Command | null };

const ENGINE = '"running", "stopped", or a map such as { state: stopped, stop: COMMAND, start: COMMAND }';
const state = z.enum(['running', 'stopped'], { error: ENGINE });

/** The key of a variant on the host. */
export const engineKey = z
  .union(
    [
      state,
      map(
        {
          state: state.meta({ description: 'running or stopped.' }),
          stop: command.optional().meta({ description: 'Stops it; default: systemctl or service.' }),
          start: command.optional().meta({ description: 'Starts it again; default: systemctl or service.' }),
        },
        ENGINE,
      ),
    ],
    { error: ENGINE },
  )
  .meta({ id: 'engine' })
  .optional()
  .meta({
    description:
      "Whether Docker's engine runs meanwhile: stopped before each run and started again after it, or running as it is found. Stopping needs `allow: engine-stop`.",
  });

export const recordedEngine = z.union([
  z.strictObject({ state: z.literal('running') }),
  z.strictObject({ state: z.literal('stopped'), stop: recordedCommand(), start: recordedCommand() }),
]);

function recordedCommand() {
  return z.union([z.string(), z.array(z.string())]).nullable();
}

export function resolveEngine(given: NonNullable<z.output<typeof engineKey>>): EngineState {
  const { state, stop, start } = typeof given === 'string' ? { state: given } : given;
  return state === 'running' ? { state } : { state, stop: stop ?? null, start: start ?? null };
}

/** What is wrong between its own keys; null: nothing. */
export function engineProblem(given: NonNullable<z.output<typeof engineKey>>): string | null {
  if (typeof given === 'string') return null;
  if (given.state === 'running' && (given.stop ?? given.start) !== undefined) {
    return 'stop and start are for an engine that is stopped; leave them out, or give state: stopped';
  }
  if ((given.stop === undefined) === (given.start === undefined)) return null;
  return `only ${given.stop === undefined ? 'start' : 'stop'} was given; what stops the engine and what starts it again belong together`;
}
