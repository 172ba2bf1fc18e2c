// The statistics and checks of 2 × 40 runs, timed in this process alone: the first time, and the median of those that follow.
import { comparisons } from '../../src/analysis/assemble.ts';
import { machineStatistics } from '../../src/analysis/checks/checked-runs.ts';
import { runChecks } from '../../src/analysis/checks/run-checks.ts';
import { variantFindings } from '../../src/analysis/describe.ts';
import { simulatedRuns } from '../simulate/experiment.ts';
import { MACHINES } from '../simulate/machine.ts';
import { createRandom } from '../simulate/random.ts';
import { median } from './figure.ts';

const [baseline, channel] = ['native', 'wall'];
const runs = simulatedRuns(createRandom(1), MACHINES.realistic, 40, [0.02]);
const looks = process.argv.includes('--looks')
  ? { planned: [20, 30, 40], spending: 'obrien-fleming' as const, through: 40, stoppedBecause: null }
  : undefined;
const question = { baseline, variants: [baseline, 'container'], channels: [channel], marginPercent: 1, seed: 1, looks };

const seconds = Array.from({ length: 15 }, () => {
  const from = performance.now();
  for (const name of question.variants) variantFindings({ name, kind: 'native', facts: {} }, runs);
  comparisons(runs, question);
  machineStatistics(runs, channel, baseline);
  runChecks(runs, { channel, baseline });
  return (performance.now() - from) / 1000;
});
process.stdout.write(JSON.stringify({ first: seconds[0], after: median(seconds.slice(1)) }));
