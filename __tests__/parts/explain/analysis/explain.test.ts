// Class: unit.
import { expect, it } from '@jest/globals';
import type { Frame } from '../../../../src/contracts/observation.ts';
import type { Count, ObservedRun } from '../../../../src/contracts/observed-run.ts';
import type { Interval } from '../../../../src/findings/numbers.ts';
import { explain } from '../../../../src/parts/explain/analysis/explain.ts';
import { observedRuns } from '../../../../src/parts/explain/analysis/observed.ts';
import { createPrng } from '../../../../src/stats/prng.ts';
import type { ObservedRecord } from '../../../../src/store/observed.ts';

const GRAIN_S = 0.002;
const FUNCTIONS = 20;
const frame = (name: string, library: string | null = '/usr/bin/redis-server'): Frame => ({ name, library });

type Random = ReturnType<typeof createPrng>;

/** Poisson by inversion; for the means of these tests. */
function poisson(random: Random, mean: number): number {
  let [n, p] = [0, Math.exp(-mean)];
  for (let u = random.u32() / 2 ** 32; u > p && n < 10_000; ) {
    u -= p;
    n++;
    p *= mean / n;
  }
  return n;
}

/** By Box and Muller. */
function normal(random: Random): number {
  const [u, v] = [random.u32(), random.u32()].map((bits) => (bits + 0.5) / 2 ** 32) as [number, number];
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
}

/** Kinds of lines of which nothing holds the scatter wide: means of a phase, and standard deviations as parts of them. */
const OTHERS = [
  ['counter', 'instructions', 1e9, 0.02],
  ['counter', 'cycles', 5e8, 0.02],
  ['counter', 'cache-misses', 1e6, 0.1],
  ['bytes', 'disks-written', 1e7, 0.05],
  ['bytes', 'network-sent', 1e7, 0.02],
  ['off-cpu', 'futex', 1, 0.1],
  ['off-cpu', 'read (pipe)', 2, 0.1],
  ['error', 'openat ENOENT', 1000, 0.1],
  ['fault', 'page-faults', 1e5, 0.02],
  ['syscall', 'futex', 1e4, 0.03],
] as const;

/** Twenty functions, some often seen and some seldom, each a little different from run to run as a whole. */
function profileOf(random: Random, variant: string, run: number, more: Record<string, number> = {}): ObservedRun {
  const counts: Count[] = [
    { kind: 'syscall', name: 'write', value: 1000, errors: null },
    { kind: 'switch', name: 'context-switches', value: poisson(random, 30), errors: null },
    ...OTHERS.map(([kind, name, mean, sd]) => ({ kind, name, value: mean * (1 + sd * normal(random)), errors: null })),
  ];
  const phases = ['set', 'lrange'].map((phase) => {
    const speed = 0.97 + 0.06 * (random.u32() / 2 ** 32);
    const stacks = Array.from({ length: FUNCTIONS }, (_, i) => {
      const name = i === 0 ? 'memcpy' : `work_${i}`;
      const mean = (2 + 300 / (i + 1)) * speed + (phase === 'lrange' ? (more[name] ?? 0) : 0);
      return { frames: [frame('main'), frame(name)], seconds: GRAIN_S * poisson(random, mean) };
    }).filter(({ seconds }) => seconds > 0);
    const cpuS = stacks.reduce((sum, { seconds }) => sum + seconds, 0);
    return { phase, wallS: cpuS, cpuS, stacks, counts };
  });
  return { variant, run, phases, sampleS: GRAIN_S };
}

function simulated(seed: number, runs: number, more: Record<string, number> = {}) {
  const random = createPrng(seed);
  const list = Array.from({ length: 2 * runs }, (_, i) =>
    profileOf(random, i % 2 === 0 ? 'glibc' : 'musl', i + 1, i % 2 === 0 ? {} : more),
  );
  return explain({
    runs: list,
    pairs: [{ baseline: 'glibc', variant: 'musl' }],
    variants: ['glibc', 'musl'],
    rungs: [],
    stretch: [],
  });
}

// docs/error-rates.md tells how many it were of 500.
it('identical variants give no line in 95 of 100 experiments', () => {
  const wrong = (runs: number, experiments: number): number =>
    Array.from({ length: experiments }, (_, i) => simulated(i + 1, runs)).filter(({ lines }) => lines.length > 0)
      .length;
  expect(wrong(5, 500)).toBeLessThanOrEqual(25);
  expect(wrong(3, 100)).toBeLessThanOrEqual(5);
});

it('nor does any tell more instructions from more time for each', () => {
  const stories = Array.from({ length: 50 }, (_, i) => simulated(i + 1, 5).work ?? []).filter((all) =>
    all.some(({ story }) => story !== 'no-difference'),
  );
  expect(stories.length).toBeLessThanOrEqual(3);
});

it('context switches of the workload alone have an interval for each variant and phase, whether they differ or not', () => {
  const { switches = [], lines } = simulated(1, 5);
  expect(lines.filter(({ kind }) => kind === 'switch')).toEqual([]);
  expect(switches.map(({ variant, phase, runs }) => [variant, phase, runs])).toEqual(
    ['glibc', 'musl'].flatMap((variant) => [null, 'set', 'lrange'].map((phase) => [variant, phase, 5])),
  );
  for (const { phase, mean, ci95 } of switches) {
    expect(ci95?.[0]).toBeLessThan(mean);
    expect(ci95?.[1]).toBeGreaterThan(mean);
    expect(mean / (phase === null ? 60 : 30)).toBeCloseTo(1, 0);
  }
});

it('context switches that nobody could count are absent, and never none', () => {
  const uncounted = (run: number): ObservedRun => ({
    variant: run % 2 === 0 ? 'glibc' : 'musl',
    run,
    phases: [{ phase: null, wallS: 1, cpuS: 1, stacks: [], counts: [] }],
  });
  const runs = [1, 2, 3, 4].map(uncounted);
  expect(
    explain({
      runs,
      pairs: [{ baseline: 'glibc', variant: 'musl' }],
      variants: ['glibc', 'musl'],
      rungs: [],
      stretch: [],
    }).switches,
  ).toBeUndefined();
});

it('a function that takes longer is found in its phase, with its group, and explains the difference', () => {
  const { lines, comparisons, explained_share: share } = simulated(7, 5, { memcpy: 200 });
  const of = (kind: string, phase: string | null) => lines.filter((line) => line.kind === kind && line.phase === phase);
  expect(of('function', 'lrange').map(({ name }) => name)).toEqual(['memcpy']);
  expect(of('group', 'lrange').map(({ name }) => name)).toEqual(['memory-copy']);
  expect(of('function', null).map(({ name }) => name)).toEqual(['memcpy']);
  expect(lines.filter(({ phase }) => phase === 'set')).toEqual([]);
  const [line] = of('function', 'lrange');
  expect(line?.difference).toBeGreaterThan(0.3);
  expect(line?.ci95?.[0]).toBeLessThan(0.4);
  expect(line?.ci95?.[1]).toBeGreaterThan(0.4);
  expect(line?.q).toBeLessThan(0.05);
  expect(comparisons[0]?.cpu_time_difference_s).toBeGreaterThan(0.3);
  expect(share).toBeGreaterThan(0.8);
});

it('what each phase of a variant goes to is told whether it differs or not', () => {
  const { mix } = simulated(7, 5, { memcpy: 200 });
  expect(mix.map(({ of, phase }) => [of, phase])).toEqual(
    ['glibc', 'musl'].flatMap((of) => ['set', 'lrange'].map((phase) => [of, phase])),
  );
  const copy = mix.map(({ groups }) => groups.find(({ name }) => name === 'memory-copy')?.seconds ?? 0);
  expect((copy[3] ?? 0) - (copy[1] ?? 0)).toBeGreaterThan(0.3);
});

it('its interval holds the true difference in 95 of 100', () => {
  const hits = Array.from({ length: 100 }, (_, i) => {
    const line = simulated(i + 1, 5, { memcpy: 200 }).lines.find(
      (one) => one.kind === 'function' && one.phase === null,
    );
    const [low = Number.NaN, high = Number.NaN] = line?.ci95 ?? [];
    return low <= 0.4 && 0.4 <= high;
  }).filter(Boolean).length;
  expect(hits).toBeGreaterThanOrEqual(92);
});

it('so does the interval of what is a line in few experiments, by chance where it looks greater than it is', () => {
  const random = createPrng(1);
  const counts = (factor: number): Count[] =>
    Array.from({ length: 15 }, (_, i) => ({
      kind: 'counter' as const,
      name: `counter ${i}`,
      errors: null,
      value: 1e9 * (i === 0 ? factor : 1) * (1 + 0.1 * normal(random)),
    }));
  const runs = () =>
    Array.from({ length: 6 }, (_, i): ObservedRun => {
      const phase = { phase: null, wallS: 1, cpuS: 0, stacks: [], counts: counts(i % 2 === 0 ? 1 : 1.5) };
      return { variant: i % 2 === 0 ? 'a' : 'b', run: i + 1, phases: [phase] };
    });
  const shown = Array.from({ length: 500 }, () =>
    explain({ runs: runs(), pairs: [{ baseline: 'a', variant: 'b' }], variants: ['a', 'b'], rungs: [], stretch: [] }),
  ).flatMap(({ lines }) => lines.filter(({ name }) => name === 'counter 0').map(({ ci95 }) => ci95 as Interval));
  expect(shown.length).toBeGreaterThan(40);
  expect(shown.filter(([low]) => low <= 0)).toEqual([]);
  // By Student's own of 95 % it would be 84 in 100.
  expect(shown.filter(([low, high]) => low <= 5e8 && 5e8 <= high).length / shown.length).toBeGreaterThan(0.95);
});

it('calls that are the same in every run, and more in a variant, are told as they are', () => {
  const runs = ['a', 'b', 'a', 'b', 'a', 'b'].map((variant, i): ObservedRun => {
    const value = variant === 'a' ? 1000 : 1500;
    const counts: Count[] = [{ kind: 'syscall', name: 'write', value, errors: null }];
    return { variant, run: i + 1, phases: [{ phase: null, wallS: 1, cpuS: 0, stacks: [], counts }] };
  });
  const { lines } = explain({
    runs,
    pairs: [{ baseline: 'a', variant: 'b' }],
    variants: ['a', 'b'],
    rungs: [],
    stretch: [],
  });
  expect(lines).toMatchObject([
    {
      of: 'b',
      kind: 'syscall',
      name: 'write',
      phase: null,
      unit: '1',
      baseline: 1000,
      variant: 1500,
      difference: 500,
      alike: true,
    },
  ]);
});

const S = 1_000_000_000n;
const RECORD: ObservedRecord = {
  round: 1,
  variant: 'a',
  status: 'ok',
  reason: null,
  way: 'sampled',
  executions: 1,
  startNs: 100n * S,
  endNs: 104n * S,
  marks: [
    { tNs: 101n * S, lateNs: 0n, phase: 'load' },
    { tNs: 103n * S, lateNs: 0n, phase: null },
  ],
  by: [],
  counts: [
    // Half of it before the window, where only its own group idled; half of it in each of two phases.
    { fromNs: 99n * S, toNs: 101n * S, kind: 'syscall', name: 'write', value: 10, errors: null },
    { fromNs: 102n * S, toNs: 104n * S, kind: 'syscall', name: 'write', value: 8, errors: 2 },
    { fromNs: 90n * S, toNs: 99n * S, kind: 'syscall', name: 'write', value: 500, errors: null },
    { fromNs: 101n * S, toNs: 102n * S, kind: 'cpu', name: 'task-clock', value: 0.5, errors: null },
  ],
  samples: [
    { tNs: 99n * S, weightNs: 2e6, frames: [frame('early')] },
    { tNs: 102n * S, weightNs: 2e6, frames: [frame('main'), frame('memcpy')] },
    { tNs: 102n * S, weightNs: 2e6, frames: [frame('main'), frame('perf_tp_event', '[kernel.kallsyms]')] },
  ],
};

it('what was seen is put into its phase by the clock, and what looking on cost is no work of the program', () => {
  const [run, ...others] = observedRuns([RECORD, { ...RECORD, status: 'failed', reason: 'it failed' }]);
  expect(others).toEqual([]);
  const [outside, load] = run?.phases ?? [];
  expect(outside).toMatchObject({ phase: null, wallS: 2, stacks: [], cpuS: 0 });
  // Of the 8 that were counted across the edge 4 may be any phase's.
  const unsure = { given: 4, most: 4 };
  expect(outside?.counts).toEqual([{ kind: 'syscall', name: 'write', value: 14, errors: 1, unsure }]);
  expect(load).toMatchObject({ phase: 'load', wallS: 2, cpuS: 0.5 });
  expect(load?.counts).toEqual([{ kind: 'syscall', name: 'write', value: 4, errors: 1, unsure }]);
  expect(load?.stacks).toEqual([{ frames: [frame('main'), frame('memcpy')], seconds: 0.002 }]);
});

it('whole things are shared among phases without a rest', () => {
  const marks = [7, 11, 17].map((tenth, i) => ({
    tNs: 100n * S + BigInt(tenth) * 100_000_007n,
    lateNs: 0n,
    phase: `p${i}`,
  }));
  const counts = [1, 10, 20_000].map((value, i) => {
    const fromNs = 100n * S + BigInt(i) * 600_000_001n;
    return { fromNs, toNs: fromNs + 1_300_000_000n, kind: 'syscall' as const, name: 'getpid', value, errors: null };
  });
  const [run] = observedRuns([{ ...RECORD, marks, counts }]);
  const shares = run?.phases.map((phase) => phase.counts.reduce((sum, { value }) => sum + value, 0)) ?? [];
  expect(shares.reduce((sum, value) => sum + value, 0)).toBe(20_011);
  expect(shares.every(Number.isInteger)).toBe(true);
});

/** A run of 5 s with a phase in its middle, of which perf tells every 50 ms what each phase made of each event. */
function countedRun(i: number, phaseNs: bigint, calls: number, lateNs = 0n): ObservedRecord {
  const step = 50_000_000n;
  const [startNs, endNs] = [100n * S, 105n * S];
  const begun = 102n * S + BigInt(i * 3_000_000);
  const ended = begun + phaseNs;
  const counts = Array.from({ length: 100 }, (_, k) => {
    const fromNs = startNs + BigInt(k) * step;
    const toNs = fromNs + step;
    const [from, to] = [fromNs > begun ? fromNs : begun, toNs < ended ? toNs : ended];
    const value = to > from ? Math.round((calls * Number(to - from)) / Number(phaseNs)) : 0;
    const names = [
      ['syscall', 'getpid'],
      ['counter', 'instructions'],
      ['counter', 'cycles'],
    ] as const;
    return names.map(([kind, name]) => ({
      fromNs,
      toNs,
      kind,
      name,
      value: kind === 'counter' ? 1000 + value : value,
      errors: null,
    }));
  });
  return {
    ...RECORD,
    variant: i % 2 === 0 ? 'a' : 'b',
    startNs,
    endNs,
    samples: [],
    counts: counts.flat(),
    marks: [
      { tNs: begun, lateNs, phase: 'calls' },
      { tNs: ended, lateNs, phase: 'copies' },
    ],
  };
}

it('what was counted across the edges of a phase is no difference of it, nor of its neighbors', () => {
  const reported = (phaseNs: bigint) => {
    const records = Array.from({ length: 10 }, (_, i) =>
      countedRun(i, phaseNs * (i % 2 === 0 ? 1n : 2n), i % 2 === 0 ? 20_000 : 40_000),
    );
    return explain({
      runs: observedRuns(records),
      pairs: [{ baseline: 'a', variant: 'b' }],
      variants: ['a', 'b'],
      rungs: [],
      stretch: [],
    });
  };
  const calls = ({ lines }: ReturnType<typeof reported>) =>
    lines.filter(({ name }) => name === 'getpid').map(({ phase, difference }) => [phase, difference]);
  const short = reported(4_000_000n);
  expect(calls(short)).toEqual([[null, 20_000]]);
  expect(short.work?.map(({ phase }) => phase)).not.toContain('calls');
  const long = reported(1_000_000_000n);
  expect(calls(long)).toEqual([
    [null, 20_000],
    ['calls', expect.closeTo(20_000, -4)],
  ]);
  const line = long.lines.find(({ name, phase }) => name === 'getpid' && phase === 'calls');
  const [lower = Number.NaN, upper = Number.NaN] = line?.ci95 ?? [];
  expect(lower).toBeLessThan(20_000);
  expect(upper).toBeGreaterThan(20_000);
});

it('bytes that moved beside the edge of a phase, as far as its line may have come late, are no difference of it', () => {
  const runs = (lateNs: bigint) =>
    Array.from({ length: 10 }, (_, i): ObservedRecord => {
      const moved = { fromNs: 1029n * (S / 10n), toNs: 1029n * (S / 10n) + 1n, kind: 'bytes' as const, errors: null };
      return {
        ...RECORD,
        variant: i % 2 === 0 ? 'a' : 'b',
        samples: [],
        counts: [{ ...moved, name: 'network-sent', value: i % 2 === 0 ? 1e6 : 5e6 }],
        marks: [
          { tNs: 101n * S, lateNs: 0n, phase: 'load' },
          { tNs: 103n * S, lateNs, phase: null },
        ],
      };
    });
  const explainLate = (lateNs: bigint) =>
    explain({
      runs: observedRuns(runs(lateNs)),
      pairs: [{ baseline: 'a', variant: 'b' }],
      variants: ['a', 'b'],
      rungs: [],
      stretch: [],
    }).lines.map(({ phase }) => phase);
  expect(explainLate(0n)).toEqual([null, 'load']);
  expect(explainLate(400_000_000n)).toEqual([null]);
});

it('where no run differs from another of its variant the interval has no width', () => {
  const runs = ['a', 'b', 'a', 'b'].map((variant, i): ObservedRun => {
    const counts = (['instructions', 'cycles'] as const).map((name) => ({
      kind: 'counter' as const,
      name,
      value: 1e6,
      errors: null,
    }));
    return { variant, run: i + 1, phases: [{ phase: null, wallS: 1, cpuS: 1, stacks: [], counts }] };
  });
  const { work } = explain({
    runs,
    pairs: [{ baseline: 'a', variant: 'b' }],
    variants: ['a', 'b'],
    rungs: [],
    stretch: [],
  });
  expect(work?.[0]?.per_cycle).toEqual({ baseline: 1, variant: 1, percent: 0, ci95: [0, 0] });
});

it('where an observer failed, what it would have seen is not known, and no zero', () => {
  const count = (kind: 'off-cpu' | 'error', value: number) => ({
    fromNs: 101n * S,
    toNs: 102n * S,
    kind,
    name: kind,
    value,
    errors: null,
  });
  const linesOf = (failure: 'overrun' | null) => {
    const records = Array.from({ length: 10 }, (_, i): ObservedRecord => {
      const variant = i % 2 === 0 ? 'a' : 'b';
      const failed = variant === 'b' && i > 4 ? failure : null;
      const counts = failed === null ? [count('off-cpu', 1 + i / 1000), count('error', 100)] : [];
      return {
        ...RECORD,
        variant,
        by: [{ name: 'perf-waits', failure: failed }],
        counts: failure === null && i % 2 === 1 ? [] : counts,
      };
    });
    const runs = observedRuns(records);
    return explain({ runs, pairs: [{ baseline: 'a', variant: 'b' }], variants: ['a', 'b'], rungs: [], stretch: [] })
      .lines;
  };
  expect(linesOf('overrun')).toEqual([]);
  // Seen, and not there.
  expect(linesOf(null).filter(({ phase }) => phase === null)).toMatchObject([
    { kind: 'error', difference: -100 },
    { kind: 'off-cpu', unit: 's' },
  ]);
});

it('what was only counted over the whole run is told of no phase', () => {
  const records = Array.from({ length: 6 }, (_, i): ObservedRecord => {
    const { startNs: fromNs, endNs: toNs } = RECORD;
    const [variant, value] = i % 2 === 0 ? ['a', 1e6 + i] : ['b', 5e6 + i];
    return { ...RECORD, variant, counts: [{ fromNs, toNs, kind: 'bytes', name: 'written', value, errors: null }] };
  });
  const runs = observedRuns(records);
  const { lines } = explain({
    runs,
    pairs: [{ baseline: 'a', variant: 'b' }],
    variants: ['a', 'b'],
    rungs: [],
    stretch: [],
  });
  expect(lines).toMatchObject([{ phase: null, kind: 'bytes', name: 'written' }]);
});

it('an account that could not be read is not zero, and one that is known to be zero is', () => {
  const linesOf = (values: readonly (number | null)[]) => {
    const records = Array.from({ length: 6 }, (_, i): ObservedRecord => {
      const { startNs: fromNs, endNs: toNs } = RECORD;
      const [variant, value] = i % 2 === 0 ? ['a', values[i / 2] ?? null] : ['b', 5e6 + i];
      const count = { fromNs, toNs, kind: 'bytes' as const, name: 'received', errors: null };
      return { ...RECORD, variant, counts: value === null ? [] : [{ ...count, value }] };
    });
    const runs = observedRuns(records);
    return explain({ runs, pairs: [{ baseline: 'a', variant: 'b' }], variants: ['a', 'b'], rungs: [], stretch: [] })
      .lines;
  };
  expect(linesOf([null, null, null])).toEqual([]);
  expect(linesOf([0, null, 0])).toMatchObject([{ kind: 'bytes', name: 'received', baseline: 0 }]);
});

it('calls of one name that several servers executed are those of all of them', () => {
  const records = Array.from({ length: 6 }, (_, i): ObservedRecord => {
    const { startNs: fromNs, endNs: toNs } = RECORD;
    const [variant, many] = i % 2 === 0 ? ['a', 10] : ['b', 90];
    const reported = { fromNs, toNs, name: 'GET', errors: null };
    const counts = [many, 10].flatMap((value) => [
      { ...reported, kind: 'command' as const, value },
      { ...reported, kind: 'command-time' as const, value: value * (variant === 'a' ? 0.001 : 0.002) },
    ]);
    const by = ['redis:first', 'redis:second'].map((name) => ({ name, failure: null }));
    return { ...RECORD, variant, by, counts };
  });
  const runs = observedRuns(records);
  const { lines } = explain({
    runs,
    pairs: [{ baseline: 'a', variant: 'b' }],
    variants: ['a', 'b'],
    rungs: [],
    stretch: [],
  });
  expect(lines).toMatchObject([
    { kind: 'command', name: 'GET', baseline: 20, variant: 100 },
    { kind: 'command-time', name: 'GET', baseline: expect.closeTo(0.001, 9), variant: expect.closeTo(0.002, 9) },
  ]);
});

it('samples that nobody told when are compared for the whole run, and those of others with them', () => {
  const records = Array.from({ length: 8 }, (_, i): ObservedRecord => {
    const { startNs, endNs } = RECORD;
    const frames = [{ name: 'main (work.py)', library: '/work.py' }];
    const [variant, looks] = i % 2 === 0 ? ['a', 100] : ['b', 300];
    const cpu = { fromNs: startNs, toNs: endNs, kind: 'cpu' as const, name: 'accounts', value: 9, errors: null };
    const samples = Array.from({ length: looks + i }, () => ({ tNs: 0n, weightNs: 10_000_000, frames }));
    // One that knows its time.
    samples.push({ tNs: startNs, weightNs: 10_000_000, frames });
    return { ...RECORD, variant, by: [{ name: 'py-spy', failure: null }], counts: [cpu], samples };
  });
  const runs = observedRuns(records);
  const { lines, mix, comparisons } = explain({
    runs,
    pairs: [{ baseline: 'a', variant: 'b' }],
    variants: ['a', 'b'],
    rungs: [],
    stretch: [],
  });
  expect(lines.map(({ kind, phase, name }) => [kind, phase, name])).toEqual([
    ['function', null, 'main (work.py)'],
    ['group', null, 'own'],
  ]);
  expect(lines[0]?.difference).toBeCloseTo(2.01, 6);
  expect(comparisons).toMatchObject([{ time: 'thread', cpu_time_difference_s: expect.closeTo(2.01, 6) }]);
  expect(mix.map(({ of, phase, of_whole_run: whole }) => [of, phase, whole])).toEqual([
    ['a', null, true],
    ['b', null, true],
  ]);
});

it('processor time that nobody told is not zero', () => {
  const reported = (values: readonly (number | null)[]) => {
    const records = values.map((value, i): ObservedRecord => {
      const { startNs: fromNs, endNs: toNs } = RECORD;
      const cpu = { fromNs, toNs, kind: 'cpu' as const, name: 'accounts', errors: null };
      const counts = value === null ? [] : [{ ...cpu, value }];
      return { ...RECORD, variant: i % 2 === 0 ? 'a' : 'b', counts, samples: [] };
    });
    const runs = observedRuns(records);
    return explain({ runs, pairs: [{ baseline: 'a', variant: 'b' }], variants: ['a', 'b'], rungs: [], stretch: [] })
      .comparisons;
  };
  expect(reported([1, 2, 1, null, 1, 2])).toMatchObject([{ cpu_time_difference_s: 1 }]);
  expect(reported([1, 2, 1, null, 1, null])).toMatchObject([
    { cpu_time_difference_s: null, ci95: null, explained_share: null },
  ]);
});

it.each([
  ['perf-user', 'which leaves out the kernel'],
  ['go:server', 'of one service'],
  ['perf-record', 'of everything'],
])('samples of %s, %s, never replace counted processor time that they are only a part of', (name) => {
  const samplesFor = (seconds: number, frames: readonly Frame[]) =>
    Array.from({ length: Math.round(seconds * 500) }, (_, k) => ({
      tNs: RECORD.startNs + BigInt(k) * 1_000_000n,
      weightNs: 2_000_000,
      frames,
    }));
  const records = Array.from({ length: 10 }, (_, i): ObservedRecord => {
    const { startNs: fromNs, endNs: toNs } = RECORD;
    const [own, kernel] = [1 + 0.004 * (i % 3), i % 2 === 0 ? 0.2 : 0.6];
    const ofKernel = name === 'perf-record' ? samplesFor(kernel, [frame('ovl_read_iter', '[kernel.kallsyms]')]) : [];
    return {
      ...RECORD,
      variant: i % 2 === 0 ? 'a' : 'b',
      by: [{ name, failure: null }],
      counts: [{ fromNs, toNs, kind: 'cpu', name: 'accounts', value: own + kernel, errors: null }],
      samples: [...samplesFor(own, [frame('main')]), ...ofKernel],
    };
  });
  const runs = observedRuns(records);
  const [whole] = explain({
    runs,
    pairs: [{ baseline: 'a', variant: 'b' }],
    variants: ['a', 'b'],
    rungs: [],
    stretch: [],
  }).comparisons;
  expect(whole?.cpu_time_difference_s).toBeCloseTo(0.4, 2);
  expect(whole?.time).toBe('processor');
  expect(whole?.explained_share).toBeCloseTo(name === 'perf-record' ? 1 : 0, 1);
});

it('what part of the programs was sampled does not pass for the processor time of a run that was not counted', () => {
  const records = Array.from({ length: 8 }, (_, i): ObservedRecord => {
    const samples = [{ tNs: 101n * S, weightNs: 1e9 + i, frames: [frame('main')] }];
    return {
      ...RECORD,
      variant: i % 2 === 0 ? 'a' : 'b',
      by: [{ name: 'perf-user', failure: null }],
      counts: [],
      samples,
    };
  });
  const runs = observedRuns(records);
  const { comparisons } = explain({
    runs,
    pairs: [{ baseline: 'a', variant: 'b' }],
    variants: ['a', 'b'],
    rungs: [],
    stretch: [],
  });
  expect(comparisons).toMatchObject([{ cpu_time_difference_s: null }]);
});
