import { compared, simulatedRuns } from './experiment.ts';
import { type Share, share } from './gates.ts';
import { MACHINES, type MachineName } from './machine.ts';
import { createRandom } from './random.ts';

const BLOCKS = 30;
const MAX = 200;
/** Changes between − and + this are equally frequent. */
const WIDEST = 0.03;

/** How many experiments that are open after 30 blocks, and name a number of blocks more, are settled by these. "Probably" is 80 %. */
export function settledAfterAll(name: MachineName, experiments: number, seed: number): Share[] {
  const random = createRandom(seed);
  let asked = 0;
  let settled = 0;
  for (let i = 0; i < experiments; i++) {
    const change = WIDEST * (2 * random.uniform() - 1);
    const runs = simulatedRuns(random, MACHINES[name], MAX, [change]);
    const until = (blocks: number) => compared(runs.filter(({ block }) => block !== null && block <= blocks));
    const more = until(BLOCKS).to_settle?.blocks ?? null;
    if (more === null || BLOCKS + more > MAX) continue;
    asked++;
    if (until(BLOCKS + more).verdict !== 'inconclusive') settled++;
  }
  return [
    share('open after 30 blocks, and a number of blocks is named', name, asked, experiments),
    // On a quiet machine few are open.
    ...(asked === 0 ? [] : [share('… settled after as many more', name, settled, asked, { around: 0.8, least: 0.7 })]),
  ];
}
