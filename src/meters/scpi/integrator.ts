import type { Quantity } from '../../sampling/reported.ts';
import { EnergySteps } from '../energy-steps.ts';
import type { PolledReading } from '../polled-meter.ts';
import { type Conversation, ScpiFault } from './conversation.ts';

/** The watt-hours of an instrument's integrator. */
export const HOURS: Quantity = { name: 'WH', unit: 'Wh', role: 'counter' };
/** Watt-hours from which the integrator is restarted: with its six digits, larger numbers have steps of more than a third of a joule. */
const RESTART_WH = 100;
const MAX_W = 1e5;

export interface IntegratorReading {
  /** When the data were updated. */
  readonly tNs: bigint;
  /** Mean power of the last update, watts. */
  readonly powerW: number;
  readonly hours: number;
  /** Whether the integrator was started at zero since the last reading. */
  readonly anew?: boolean;
}

interface Integrator {
  /** Waits for new data. Throws ScpiFault, MeasureError. */
  poll(): Promise<IntegratorReading>;
  /** Whether the integrator is ours, so that it may be restarted at zero. */
  restarts(): boolean;
  /** Restarts it at zero, and reads it once it runs. */
  restart(): Promise<IntegratorReading>;
}

/** Gives readings from a running integrator: the mean power between two of them. */
export function integratorReader(
  talk: Pick<Conversation, 'doubt'>,
  { poll, restarts, restart }: Integrator,
): () => Promise<PolledReading> {
  let steps: EnergySteps | null = null;
  let lastNs = 0n;
  return async () => {
    try {
      const at = sane(await poll());
      if (at.anew) {
        steps = new EnergySteps(HOURS, at.tNs, at.hours);
        lastNs = at.tNs;
        return { missing: 'its integration was started anew' };
      }
      const step = steps === null ? { powerW: at.powerW, reported: undefined } : steps.advance(at.tNs, at.hours);
      steps ??= new EnergySteps(HOURS, at.tNs, at.hours);
      const sinceNs = at.tNs - lastNs;
      lastNs = at.tNs;
      if ('missing' in step) return step;
      if (!restarts() || at.hours < RESTART_WH) {
        return { tNs: at.tNs, powerW: [step.powerW], note: null, reported: step.reported };
      }
      // The stretch in which the integrator was restarted is known only by its power.
      const next = sane(await restart());
      steps = new EnergySteps(HOURS, next.tNs, next.hours);
      lastNs = next.tNs;
      const [before, after] = [Number(sinceNs), Number(next.tNs - at.tNs)];
      const powerW = (step.powerW * before + next.powerW * after) / (before + after);
      return { tNs: next.tNs, powerW: [powerW], note: null };
    } catch (error) {
      if (!(error instanceof ScpiFault)) throw error;
      talk.doubt();
      return { missing: error.message };
    }
  };
}

function sane(at: IntegratorReading): IntegratorReading {
  if (!(Math.abs(at.powerW) <= MAX_W)) throw new ScpiFault(`it reports ${at.powerW} W`);
  return at;
}
