import { readFileSync } from 'node:fs';

type Interval = [number, number];
type Bootstrapped = { seed: number; resamples: number; ci95: Interval; se: number };
type Distribution = {
  [Key in 'cv' | 'q05' | 'q95' | 'iqr' | 'trimmed_mean_20' | 'median_confidence']: number;
} & { skewness: number | null; excess_kurtosis: number | null; median_ci95: Interval };
type Test = {
  t: number;
  df: number;
  p: number;
  ci95: Interval;
};
type Ranked = {
  r: number;
  p: number;
  ci95: Interval | null;
};

export type OneSample = {
  mean: number;
  sd: number;
  median: number;
  mad: number;
  q1: number;
  q3: number;
  min: number;
  max: number;
  mean_ci95: Interval;
  flagged: number[] | null;
  shapiro: { w: number; p: number } | null;
  mannKendall: { s: number; z: number; p: number } | null;
  lag1: number | null;
  theilSen: number;
  spearman: { rho: number; p: number } | null;
  distribution: Distribution;
};

export type TwoSamples = {
  of_means: number;
  welch: Test | null;
  tost: number | null;
  logRatio: { value: number; se: number; df: number } | null;
  fieller: Interval | null;
  mannWhitney: { u: number; p: number; method: 'exact' | 'asymptotic' };
  doubled: number | null;
  tostSides: [number, number] | null;
  logDelta: Interval | null;
  detectablePercent: number | null;
  bootstrap: Bootstrapped;
  shift: { estimate: number; k?: number; ci?: Interval; confidence?: number };
  cliff: { delta: number; ci95: Interval | null };
  cohen: { value: number; ci95: Interval } | null;
  hedges: number | null;
  brunnerMunzel: { w: number; p: number } | null;
  kruskalWallis: { h: number; p: number } | null;
};

export type Pairs = {
  t: Test | null;
  tost: number | null;
  tostSides: [number, number] | null;
  pratt: number;
  rankBiserial: number | null;
  joules: Test | null;
  dz: { value: number; ci95: Interval } | null;
  signFlipInterval: Interval | null;
  detectableT: number | null;
  lag1: number | null;
  bootstrap: Bootstrapped;
  signedRank: { wPlus: number; p: number; nNonzero: number; nZero: number };
  walsh: {
    percent: number;
    k: number;
    ci95: Interval;
    confidence: number;
    ci90: Interval;
    k90: number;
    confidence90: number;
  };
  signFlip: number | null;
  meanPercent: number;
  fieller: Interval | null;
};

export type Case = {
  name: string;
  x: number[];
  y: number[];
  tx: number[];
  ty: number[];
  expected: {
    x: OneSample;
    y: OneSample;
    two: TwoSamples;
    paired: Pairs | null;
    energyTime: { x: Ranked | null; y: Ranked | null };
    why?: [number, number];
  };
};

type Expected = {
  cases: Case[];
  adjusted: { p: number[]; holm: number[]; bh: number[] }[];
  fisher: [number, number, number, number, number][];
  power: ['two' | 'paired', number, number, number][];
  distributions: [string, number[], number][];
  kruskal: { groups: number[][]; h: number; p: number };
};

/** Made by fixtures/statistics/generate.py, which tells where each number is from. */
export const expected = JSON.parse(
  readFileSync(new URL('../fixtures/statistics/expected.json', import.meta.url), 'utf8'),
) as Expected;

export const pairedCases = expected.cases.filter(
  (sample): sample is Case & { expected: { paired: Pairs } } => sample.expected.paired !== null,
);

/** Each arm of each case by itself. */
export const arms = expected.cases.flatMap(({ name, x, y, tx, ty, expected: e }) => [
  { name: `${name}, baseline`, values: x, times: tx, wanted: e.x, energyTime: e.energyTime.x },
  { name: `${name}, variant`, values: y, times: ty, wanted: e.y, energyTime: e.energyTime.y },
]);

/** What is too little for a comparison of two samples. */
export const tooLittle: readonly (readonly [readonly number[], readonly number[]])[] = [
  [[], []],
  [[], [1, 2]],
  [[1], []],
];

/** The distribution's values of 50 digits: `[arguments, value]`. */
export const valuesOf = (name: string): readonly (readonly [readonly number[], number])[] =>
  expected.distributions.filter(([row]) => row === name).map(([, args, value]) => [args, value]);
