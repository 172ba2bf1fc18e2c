import { type StackSample, UNTIMED } from '../../../../../contracts/observation.ts';
import { ObserverError } from '../../tool.ts';
import type { CpuStack } from './pprof.ts';

const MAX_SAMPLES = 500_000;

/** One sample per tick, without times. Throws ObserverError. */
export function samplesOf(stacks: readonly CpuStack[]): StackSample[] {
  const count = stacks.reduce((sum, { samples }) => sum + samples, 0);
  if (count > MAX_SAMPLES) throw new ObserverError('wrote-too-much');
  return stacks.flatMap(({ frames, samples, cpuNs }) =>
    frames.length === 0
      ? []
      : Array.from({ length: samples }, () => ({ tNs: UNTIMED, weightNs: Math.round(cpuNs / samples), frames })),
  );
}
