// Class: world, long.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { parse } from 'yaml';
import { Explanation } from '../../../src/findings/explain.ts';
import { canLook } from '../../parts/explain/observers/can-look.ts';
import { perfForFunctions } from '../../parts/explain/observers/perf-for-functions.ts';
import { type CsvRow, joulediff, temporaryFolder } from '../program.ts';
import { type Again, describeExample } from './example.ts';

/** What is built once: Redis takes half a minute of processor time for each library. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'joulediff');

const valuesOf = (runs: readonly CsvRow[], variant: string, metric: string): number[] =>
  runs.filter((run) => run.variant === variant).map((run) => Number(run[metric]));

/** How often a time of musl's is glibc's, by the best of their runs: what else goes on here makes a time longer, never shorter. */
function ratio(runs: readonly CsvRow[], metric: string): number {
  const least = (variant: string) => Math.min(...valuesOf(runs, variant, metric));
  return least('musl') / least('glibc');
}

/**
 * What Barba Roque found by hand (2024): musl copies the long answers of LRANGE piece by piece. Runs are short, and something else goes on here: where
 * it isn't seen with six of each variant, there are more. The whole difference is known by its interval alone, and most of it has to be explained.
 * `change`: what the experiment that could confirm it changes; null: none is offered. Gives the folder of the result; null: nobody may look.
 */
async function expectMemoryCopy({ call }: Again, change: string | null): Promise<string | null> {
  if (!canLook()) return null;
  let out = '';
  const asked = async (rounds: number) => {
    out = await call('explain', '--rounds', String(rounds));
    const { lines, comparisons } = Explanation.parse(JSON.parse(readFileSync(join(out, 'explain.json'), 'utf8')));
    const [whole] = comparisons;
    const times = lines.filter(({ kind }) => kind === 'function' || kind === 'group');
    const isNamed = (name: string) =>
      times.some((line) => line.phase === 'lrange_600' && line.name === name && line.difference > 0);
    const explainedS = (whole?.explained_share ?? 0) * (whole?.cpu_time_difference_s ?? 0);
    return {
      inLrange: ['memory-copy', 'memcpy'].filter(isNamed),
      ofSet: times.filter(({ phase }) => phase === 'set'),
      isMostExplained: explainedS > 0.8 * (whole?.ci95?.[0] ?? Number.POSITIVE_INFINITY),
      change: existsSync(confirmIn(out)) ? Object.keys(variantsIn(confirmIn(out))).at(-1) : null,
    };
  };
  const found = { inLrange: ['memory-copy', 'memcpy'], ofSet: [], isMostExplained: true, change };
  let reported = await asked(6);
  if (!isDeepStrictEqual(reported, found)) reported = await asked(12);
  expect(reported).toEqual(found);
  return out;
}

const confirmIn = (out: string): string => join(out, 'confirm.yml');
const variantsIn = (file: string): Record<string, { readonly image: string }> =>
  parse(readFileSync(file, 'utf8')).variants;

/** Memory copy is a function; what else perf could tell of Redis takes half of the time of these tests. */
let functions = '';
const folder = temporaryFolder();
beforeAll(() => {
  functions = perfForFunctions(join(folder.path, 'bin'));
});
afterAll(() => folder.remove());
const environment = () => ({ PATH: functions });

const C_LIBRARIES = ['gcc', 'musl-gcc'];
const THREE = 'repetitions=3';
/** Nor is anything traced: system calls are no functions. */
const UNTRACED = 'explain.trace=false';

describeExample(
  'redis-libc',
  {
    programs: [...C_LIBRARIES, 'make', 'redis-benchmark', 'redis-cli'],
    fetch: './source.sh "$REDIS_BUILD"',
    ports: [16380],
    small: ['workload.env.REQUESTS=4000', 'workload.env.COMMANDS=set lrange_600', THREE, UNTRACED],
    env: { REDIS_BUILD: join(CACHE, 'redis-libc') },
    environment,
  },
  async (runs, again) => {
    const all = [...runs];
    // 1.3 and 1.0 on a machine of its own: long answers are copied piece by piece. The requests in a second may be as many all the same, where
    // the client is what they wait for.
    const isShown = () => {
      const lrange = ratio(all, 'metric_lrange_600_cpu');
      return lrange > 1.1 && lrange > 1.05 * ratio(all, 'metric_set_cpu');
    };
    for (let more = 0; more < 4 && !isShown(); more++) all.push(...(await again.run()));
    expect({ lrangeIsSlower: isShown(), all }).toMatchObject({ lrangeIsSlower: true });
    const out = await expectMemoryCopy(again, 'other-c-library');
    if (out === null) return;
    const { 'as-it-is': same, 'other-c-library': other } = variantsIn(confirmIn(out));
    expect(other).toEqual({ ...same, image: same?.image.replace('musl', 'glibc') });
    // Values of variables are not in a result: its reader gives them again.
    const refused = await joulediff(['plan', confirmIn(out)]);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('workload.env.REQUESTS: nothing was given'),
    });
    const given = readFileSync(confirmIn(out), 'utf8').replaceAll(/^( +[A-Z_]+): null$/gm, "$1: '4000'");
    writeFileSync(confirmIn(out), given);
    const { code, stdout, stderr } = await joulediff(['plan', confirmIn(out)]);
    expect({ code, stdout, stderr }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok +variant other-c-library:/m),
    });
  },
);

describeExample(
  'redis-libc',
  {
    file: 'native.yml',
    programs: [...C_LIBRARIES, 'make', 'redis-benchmark', 'redis-cli'],
    fetch: './source.sh "$REDIS_BUILD"',
    ports: [16380],
    small: [
      ...['workload.env.REQUESTS=4000', 'workload.env.COMMANDS=set lrange_600', UNTRACED],
      ...['glibc', 'musl'].map(
        (libc) => `variants.${libc}.env.PATH=${join(CACHE, 'redis-libc', libc)}:${process.env.PATH}`,
      ),
    ],
    env: { REDIS_BUILD: join(CACHE, 'redis-libc') },
    environment,
  },
  async (_, again) => {
    await expectMemoryCopy(again, null);
  },
);

describeExample(
  'memcpy',
  { programs: C_LIBRARIES, small: ['workload.env.SHORT=3000000', 'workload.env.CACHED=30000', THREE] },
  (runs) => {
    expect(ratio(runs, 'metric_short')).toBeGreaterThan(1.2);
    expect(ratio(runs, 'metric_cached')).toBeGreaterThan(0);
  },
);

// The literal of Barba Roque's benchmark, for which musl starts a string instruction each time.
describeExample(
  'memcpy',
  { file: 'paper.yml', programs: C_LIBRARIES, small: ['workload.env.ROUNDS=3000', THREE] },
  (runs) => {
    expect(ratio(runs, 'metric_literal_600')).toBeGreaterThan(1.2);
    expect(ratio(runs, 'metric_array_600')).toBeGreaterThan(1.2);
  },
);
