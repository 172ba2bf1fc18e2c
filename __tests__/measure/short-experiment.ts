import { join } from 'node:path';
import type { Variant } from '../../src/executors/registry.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { withStore } from '../../src/store/reader.ts';

/** Two blocks, with hardly a pause, and the estimate of the processor's use as the meter. */
export function shortExperiment(directory: string, variants: readonly Variant[], change: Partial<Experiment> = {}) {
  const experiment: Experiment = {
    name: 'short',
    directory,
    variants,
    baseline: 'native',
    repetitions: 2,
    warmup: { runs: 0 },
    restS: 0.15,
    guardS: 0.1,
    batch: 1,
    seed: 1,
    marginPercent: 1,
    meters: ['estimate'],
    ...change,
  };
  return experiment;
}

/** Takes in what a session tells; `onDone` hears how many runs are through. */
export function listening(onDone: (done: number) => void = () => {}) {
  const reported: string[] = [];
  const hear = (line: string): void => void reported.push(line);
  const status = ({ done }: { done: number }): void => onDone(done);
  return { reported, progress: { note: hear, warn: hear, status, end() {} } };
}

/** Planned runs that have a good one, each as often as it has. */
export function goodRuns(outDir: string): number[] {
  const runs = withStore(join(outDir, 'experiment.db'), (reader) => reader.runs());
  return runs
    .filter(({ status }) => status === 'ok')
    .map(({ planned }) => planned)
    .sort((a, b) => a - b);
}
