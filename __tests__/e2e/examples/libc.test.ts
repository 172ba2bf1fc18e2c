import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { CsvRow } from '../program.ts';
import { describeExample } from './example.ts';

/** What is built once: Redis takes half a minute of processor time for each library. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'joulediff');

const valuesOf = (runs: readonly CsvRow[], variant: string, metric: string): number[] =>
  runs.filter((run) => run.variant === variant).map((run) => Number(run[metric]));

/** How often a metric of musl's is glibc's, by their medians. */
function ratio(runs: readonly CsvRow[], metric: string): number {
  const median = (variant: string) => {
    const values = valuesOf(runs, variant, metric).sort((a, b) => a - b);
    return values[(values.length - 1) / 2] ?? Number.NaN;
  };
  return median('musl') / median('glibc');
}

const C_LIBRARIES = ['gcc', 'musl-gcc'];
const THREE = 'repetitions=3';

describeExample(
  'redis-libc',
  {
    programs: [...C_LIBRARIES, 'make', 'redis-benchmark', 'redis-cli'],
    fetch: './source.sh "$REDIS_BUILD"',
    ports: [16380],
    small: ['workload.env.REQUESTS=4000', 'workload.env.COMMANDS=set lrange_600', THREE],
    env: { REDIS_BUILD: join(CACHE, 'redis-libc'), CFLAGS: '-O0' },
  },
  async (runs, again) => {
    // 1.4 and 1.0, however busy the machine: long answers are copied piece by piece.
    const lrange = ratio(runs, 'metric_lrange_600_cpu');
    expect(lrange).toBeGreaterThan(1.15);
    expect(lrange).toBeGreaterThan(1.1 * ratio(runs, 'metric_set_cpu'));
    const all = [...runs];
    // The best of all runs: what else goes on here makes a throughput smaller, never larger.
    const best = (variant: string, metric: string) => Math.max(...valuesOf(all, variant, metric));
    const isShown = () =>
      best('glibc', 'metric_lrange_600') > 1.05 * best('musl', 'metric_lrange_600') &&
      best('musl', 'metric_set') > 0.7 * best('glibc', 'metric_set');
    for (let more = 0; more < 4 && !isShown(); more++) all.push(...(await again()));
    expect({ lrangeIsSlower: isShown(), all }).toMatchObject({ lrangeIsSlower: true });
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
