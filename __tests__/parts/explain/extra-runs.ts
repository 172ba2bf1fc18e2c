import { type ExplainOptions, explaining } from '../../../src/parts/explain/measure/explaining.ts';
import { run } from '../../../src/parts/explain/run.ts';

/** Of a request: extra runs alone, added to the finished experiment that is there. */
export const extraRunsAlone = (options: ExplainOptions = {}) => ({
  part: run,
  resume: true,
  extraRuns: explaining(options),
  onlyExtraRuns: true,
});
