// The shipped program under faults: short experiments with real processes and containers and an emulated meter, each disturbed at seeded
// moments and resumed until it is complete. Then nothing may be left, lost, counted twice or wrong. Ends with 1 where something is.
//   npm run soak [-- --runs 500 --seed 7]
import { parseArgs } from 'node:util';
import { Soak } from './harness.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '500' }, seed: { type: 'string', default: '7' } },
});

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopping.abort(new Error(name)));

const soak = await Soak.begin({
  runs: Number(values.runs),
  seed: Number(values.seed),
  say: (line) => void process.stdout.write(`${line}\n`),
  signal: stopping.signal,
});
const wrong = await soak.run().finally(() => soak.end());
process.exitCode = wrong.length === 0 ? 0 : 1;
