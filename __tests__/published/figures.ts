import type { Findings } from '../../src/findings/findings.ts';
import { analyzeCsv } from '../../src/parts/fleet/analysis/csv/analyze.ts';
import { pairedEstimate, tTest } from '../../src/stats/welch.ts';
import type { Row } from './datasets.ts';

/** A figure of a paper, as printed there, and ours. */
export interface Figure {
  readonly of: string;
  readonly what: string;
  readonly published: string;
  readonly ours: number;
}

/** Our number with as many digits as the published one has; R's and pandas' ways of writing them. */
export function asPublished(ours: number, published: string): string {
  if (published.startsWith('<')) return ours < Number(published.slice(1)) ? published : String(ours);
  const [mantissa = '', exponent] = published.split('e');
  const decimals = mantissa.split('.')[1]?.length ?? 0;
  if (exponent === undefined) return ours.toFixed(decimals);
  const [digits, power] = ours.toExponential(decimals).split('e') as [string, string];
  return `${digits}e${Number(power) < 0 ? '-' : '+'}${String(Math.abs(Number(power))).padStart(2, '0')}`;
}

export function printed(figures: readonly Figure[]): string {
  const rows = figures.map((f) => [f.of, f.what, f.published, asPublished(f.ours, f.published)]);
  const all = [['', '', 'published', 'joulediff'], ...rows];
  const widths = [0, 1, 2, 3].map((c) => Math.max(...all.map((row) => row[c]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, c) => cell.padEnd(widths[c] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What `joulediff analyze` makes of rows; `columns` gives the value of each of our columns. */
function analyzed(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string>>,
  baseline: string,
): Findings {
  const lines = rows.map((row) =>
    Object.values(columns)
      .map((value) => value(row))
      .join(','),
  );
  const csv = `${[Object.keys(columns).join(','), ...lines].join('\n')}\n`;
  return analyzeCsv(csv, { file: 'published.csv', name: 'published', baseline, marginPercent: 1 }).findings;
}

export type SantosFigures = Readonly<Record<'diff' | 't' | 'p' | 'low' | 'high' | 'd' | 'rDocker' | 'rNative', string>>;

/** Native against Docker: R's t.test(paired = TRUE) on joules, cohensD without its sign, Pearson's r of energy and time. */
export function santosFigures(rows: readonly Row[], experiment: string, published: Partial<SantosFigures>): Figure[] {
  const own = rows
    .filter((row) => row.experiment === experiment)
    .sort((a, b) => Number(a.started_ms) - Number(b.started_ms));
  const { comparisons, variants } = analyzed(
    own,
    {
      variant: (row) => row.configuration ?? '',
      energy_j: (row) => row.energy_J ?? '',
      duration_s: (row) => String(Number(row.elapsed_ms) / 1000),
    },
    'native',
  );
  const energies = (variant: string) =>
    own.filter((row) => row.configuration === variant).map((row) => Number(row.energy_J));
  const native = energies('native');
  const paired = pairedEstimate(energies('multidocker').map((energy, i) => energy - (native[i] as number)));
  if (paired === null) throw new Error(`${experiment} has no pairs`);
  const { t, p, ci95 } = tTest(paired);
  const r = (name: string) => variants.find((variant) => variant.name === name)?.energy_time_pearson?.r ?? Number.NaN;
  const ours: Record<keyof SantosFigures, [string, number]> = {
    diff: ['mean difference, J', comparisons[0]?.difference.of_means ?? Number.NaN],
    t: ['t, paired', t],
    p: ['p', p],
    low: ['95 % CI, from', ci95[0]],
    high: ['95 % CI, to', ci95[1]],
    d: ['Cohen’s d', Math.abs(comparisons[0]?.effect.cohens_d?.value ?? Number.NaN)],
    rDocker: ['r(energy, time), Docker', r('multidocker')],
    rNative: ['r(energy, time), native', r('native')],
  };
  return (Object.keys(published) as (keyof SantosFigures)[]).map((key) => {
    const [what, value] = ours[key];
    return { of: experiment, what, published: published[key] ?? '', ours: value };
  });
}

export interface RoqueFigures {
  /** Mean and sd of core 0's energy, J, and of the time, s, by image: pandas' describe(). */
  readonly images: Readonly<Record<string, readonly [string, string, string, string]>>;
  /** Change of the mean against `ubuntu`, percent. */
  readonly percent: Readonly<Record<string, string>>;
}

export function roqueFigures(rows: readonly Row[], { images, percent }: RoqueFigures): Figure[] {
  const { variants, comparisons } = analyzed(
    rows,
    {
      variant: (row) => row.image ?? '',
      energy_j: (row) => row.core0_energy_J ?? '',
      duration_s: (row) => row.duration_s ?? '',
    },
    'ubuntu',
  );
  const ofImages = Object.entries(images).flatMap(([image, published]) => {
    const found = variants.find(({ name }) => name === image);
    const ours = [found?.energy_j?.mean, found?.energy_j?.sd, found?.duration_s?.mean, found?.duration_s?.sd];
    const what = ['mean energy, J', 'sd of energy, J', 'mean time, s', 'sd of time, s'];
    return published.map((text, i) => ({
      of: image,
      what: what[i] as string,
      published: text,
      ours: ours[i] ?? Number.NaN,
    }));
  });
  const changes = Object.entries(percent).map(([image, published]) => ({
    of: image,
    what: 'against ubuntu, %',
    published,
    ours: comparisons.find(({ variant }) => variant === image)?.percent.of_means ?? Number.NaN,
  }));
  return [...ofImages, ...changes];
}
