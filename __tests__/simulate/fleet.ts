// Prints how long pull requests wait for one metered machine, by how much it is asked for. It judges nothing.
//   node __tests__/simulate/fleet.ts [DAYS]
import { createRandom, type Random } from './random.ts';

const DAY_MINUTES = 8 * 60;
/** Pull requests that are open at once in a repository. */
const OPEN = 3;

export interface Job {
  readonly pullRequest: number;
  readonly pushed: number;
}

/** Pushes of a working day at random moments, in order. */
function pushesOf(perDay: number, random: Random): Job[] {
  const pushes: Job[] = [];
  const repositories = Math.max(1, Math.round(perDay / 4));
  let now = 0;
  for (;;) {
    now -= (Math.log(1 - random.uniform()) * DAY_MINUTES) / perDay;
    if (now >= DAY_MINUTES) return pushes;
    pushes.push({ pullRequest: Math.floor(random.uniform() * repositories * OPEN), pushed: now });
  }
}

/**
 * One machine, first come first served; a push ends what waits or runs for the same pull request, as `cancel-in-progress` does. Gives minutes from
 * push to comment of all that came to their end, and how many did not.
 */
export function serve(jobs: readonly Job[], minutes: number): { waits: number[]; overtaken: number; busy: number } {
  const waits: number[] = [];
  let [free, overtaken, busy] = [0, 0, 0];
  for (const [i, job] of jobs.entries()) {
    const begin = Math.max(free, job.pushed);
    const next = jobs.slice(i + 1).find(({ pullRequest }) => pullRequest === job.pullRequest);
    if (next !== undefined && next.pushed < begin + minutes) {
      overtaken += 1;
      if (next.pushed <= begin) continue;
      busy += next.pushed - begin;
      free = next.pushed;
      continue;
    }
    free = begin + minutes;
    busy += minutes;
    waits.push(free - job.pushed);
  }
  return { waits, overtaken, busy };
}

if (import.meta.main) {
  const days = Number(process.argv[2] ?? 2000);
  const quantile = (sorted: readonly number[], p: number): number =>
    sorted[Math.floor(p * (sorted.length - 1))] ?? Number.NaN;
  console.log('minutes of a measurement | pushes a day | busy | overtaken | from push to comment: median | 95 %');
  for (const minutes of [5, 20, 40]) {
    for (const perDay of [4, 8, 16, 32, 64]) {
      const random = createRandom(perDay);
      const results = Array.from({ length: days }, () => {
        const jobs = pushesOf(perDay, random);
        return { jobs: jobs.length, ...serve(jobs, minutes) };
      });
      const waits = results.flatMap((result) => result.waits).sort((a, b) => a - b);
      const total = (of: (result: (typeof results)[number]) => number): number =>
        results.reduce((sum, r) => sum + of(r), 0);
      const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
      const cells = [
        ...[minutes, perDay, percent(total(({ busy }) => busy) / days / DAY_MINUTES)],
        percent(total(({ overtaken }) => overtaken) / total(({ jobs }) => jobs)),
        ...[quantile(waits, 0.5), quantile(waits, 0.95)].map((wait) => wait.toFixed(0)),
      ];
      console.log(cells.join(' | '));
    }
  }
}
