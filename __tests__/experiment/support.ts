import type { Experiment } from '../../src/experiment/experiment.ts';
import { type Overrides, overridesFromFlags } from '../../src/experiment/overrides.ts';
import { ExperimentError } from '../../src/experiment/problems.ts';
import { parseExperiment } from '../../src/experiment/read.ts';

/** Two right variants, to which a test adds lines of its own (line 5 is the first free one). */
export const TWO = `workload: { run: ./bench.sh }
variants:
  native: {}
  container: { image: "debian:12" }
`;

export function parse(text: string, overrides: Overrides = []): Experiment {
  return parseExperiment(text, { file: 'joulediff.yml', directory: '/home/me/project', overrides });
}

export const withSet = (text: string, ...set: string[]) => parse(text, overridesFromFlags({ set }));

/** The message of what `action` throws; fails when it throws nothing, or something that no person is meant to read. */
export function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ExperimentError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}
