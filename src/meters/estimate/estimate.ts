import { availableParallelism, cpus } from 'node:os';
import { InputError } from '../../errors.ts';
import { busySeconds, readStat } from '../../system/cpu-times.ts';
import { CounterMeter, type EnergyCounter } from '../counter-meter.ts';
import type { MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { checkNoAddress, checkOptionNames, numberOption, secondsOption } from '../options.ts';

/** Text in every output that shows numbers of `estimate`. */
export const ESTIMATE_MODEL =
  'These watts are a model of processor use, not a measurement: power = idle + (max − idle) × the share of the time that the logical processors were busy, with arbitrary values of idle and max.';

const COARSE =
  '/proc/stat counts in steps of 10 ms, so the energy of a run shorter than a second is coarse; in a virtual machine it shows only what this machine was given.';

/** A step of /proc/stat. */
const TICK_S = 0.01;

const DEFAULT_IDLE_W = 10;
/** An arbitrary value, as any other would be without a meter. */
const DEFAULT_WATTS_PER_PROCESSOR = 7.5;

const SHEET: MeterSheet = {
  product: 'a model of the processors’ use',
  modelled: true,
  price: 'nothing',
  accuracy: null,
  minimumGuardS: 0,
  channel: { integration: 'counter', samplingPeriodS: 0.1, clock: 'host', edgeS: TICK_S },
  wiring: 'none',
  blind: 'real power: it only estimates',
  risks: 'its watts are invented; good for trying joulediff',
};

/**
 * A model for machines without a meter: good for trying the rest, and for comparing processor use. Options: `idle` and `max` in watts
 * (default 10, and 7.5 more for each logical processor), `period`.
 */
export const estimate: MeterType = {
  type: 'estimate',
  ownMachine: true,
  sheet: SHEET,
  check(name) {
    checkNoAddress(name);
    checkOptionNames(name, ['idle', 'max', 'period']);
    periodOf(name);
    parseModel(name);
  },
  async open(name, { clock }) {
    estimate.check(name);
    const { idleW, maxW, processors } = parseModel(name);
    return new CounterMeter(
      {
        type: estimate.type,
        address: null,
        source: 'modelled',
        identity: { idleW, maxW, processors },
        accuracy: null,
        minimumGuardS: 0,
        channels: [
          {
            channel: 'cpu-model',
            integration: 'counter',
            samplingPeriodS: periodOf(name),
            clock: 'host',
            edgeS: TICK_S,
          },
        ],
        remarks: [`${ESTIMATE_MODEL} Here idle is ${idleW} W and max is ${maxW} W.`, COARSE],
      },
      modelCounter(idleW, maxW, processors, readStat),
      clock,
    );
  },
};

/**
 * The model as a counter: joules = idle × time + (max − idle) / processors × busy time of all processors. The time is the exact one, not the sum
 * of /proc/stat, so that its steps of 10 ms shift a little energy between neighboring samples, but none is made or lost. A step that is more
 * than the processors could work in the time, since it came with the end of a tick that began before, is kept for the next sample: a step each at the most.
 */
export function modelCounter(idleW: number, maxW: number, processors: number, stat: () => string): EnergyCounter {
  let lastS = busySeconds(stat());
  let keptS = 0;
  return {
    advance(elapsedS) {
      const busyS = busySeconds(stat());
      const knownS = keptS + Math.max(0, busyS - lastS);
      lastS = busyS;
      const workedS = Math.max(Math.min(knownS, elapsedS * processors), knownS - TICK_S * processors);
      keptS = knownS - workedS;
      return { energyJ: [idleW * elapsedS + ((maxW - idleW) / processors) * workedS] };
    },
  };
}

function periodOf(name: MeterName): number {
  return secondsOption(name, 'period', { minimum: 0.02, maximum: 1 }, 0.1);
}

function parseModel(name: MeterName): { idleW: number; maxW: number; processors: number } {
  const processors = cpus().length || availableParallelism();
  const watts = { minimum: 0, maximum: 100_000, unit: 'watts' };
  const idleW = numberOption(name, 'idle', watts, DEFAULT_IDLE_W);
  const maxW = numberOption(name, 'max', watts, idleW + DEFAULT_WATTS_PER_PROCESSOR * processors);
  if (maxW >= idleW) return { idleW, maxW, processors };
  throw new InputError(`In the meter name "${name.text}" max is less than idle (${maxW} W against ${idleW} W).`);
}
