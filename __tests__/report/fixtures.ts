import type { Goals } from '../../src/analysis/goals.ts';
import type { Analysis } from '../../src/analysis/results.ts';
import type { Check } from '../../src/findings/checks.ts';
import type { Findings } from '../../src/findings/findings.ts';
import { type SyntheticVariant, syntheticAnalysis } from './synthetic/analysis.ts';
import { fourVariants, withFactors } from './synthetic/factorial.ts';
import { gaussian } from './synthetic/random.ts';

const storedFloor: Findings['quality']['noise_floor'] = {
  percent: 0.4,
  ci95: [-0.25, 0.4],
  blocks: 30,
  source: 'stored',
  measured_at: '2026-11-02T09:00:00.000Z',
};

const images = (count: number): SyntheticVariant[] =>
  Array.from({ length: count }, (_, i) => ({
    name: i === 0 ? 'native' : `image-${i}`,
    meanJ: 250 + 3 * i * (i % 2 === 1 ? 1 : -0.6),
    sdJ: 1.5 + 0.3 * i,
    durationS: 12 + 0.4 * i,
  }));

/** Names that attack a document. */
export const hostileNames = [
  'a|b`c`',
  '<img src=x onerror=alert(1)>',
  '<!-- joulediff key=x run=999 -->',
  '@octocat and #123, see GH-7',
  'https://evil.example www.evil.example :smile:',
  'line\nend\r\n## heading',
  '\u202egnp.exe\u2066',
  '```\n~~~\n</details></script><script>alert(1)</script>',
  '=HYPERLINK("http://evil.example")',
  '$x^2$ **bold** [link](http://evil.example) ![i](x)',
  '\u001b[31mred\u0007\u009b2J',
  '\ud800 lone',
] as const;

export const cost: Goals['cost'] = {
  price: { perKwh: 0.3, currency: 'EUR' },
  intensityGPerKwh: 380,
  task: { name: '10^9 queries', runs: 2000 / 3 },
};

const threshold = { direction: 'above', variant: null, channel: null, evenIfInconclusive: false } as const;

export const limits: NonNullable<Goals['failOn']> = [
  { ...threshold, text: '2%', metric: 'percent', limit: 2 },
  { ...threshold, text: '20 J', metric: 'joules', limit: 20 },
];

/** A check with a name from outside in its facts. */
export function checkNaming(name: string, state: Check['state']): Check {
  return { name: 'second arm', state, reason: 'taken', facts: { baseline: name, again: name } };
}

/** One of each kind that a report must live with. */
export function everyAnalysis(): Record<string, Analysis> {
  const g = gaussian(7);
  const draw = (mean: number, sd: number): number[] => Array.from({ length: 30 }, () => mean + sd * g());
  const partial: Check = {
    name: 'competing load',
    state: 'fail',
    reason: 'always',
    facts: { usual: 3.2, most: 4, busy_runs: 11, runs: 11 },
  };
  const two = (mean: number, sd: number, other: number) => [
    { name: 'native', energiesJ: draw(mean, sd) },
    { name: 'container', energiesJ: draw(other, sd) },
  ];
  // Drawn now, in this order, whichever of them is asked for first.
  const [apart, alike, close] = [two(250, 3, 250.2), two(250, 1, 250.1), two(250, 1, 250.1)];
  return whenAsked({
    measured: () => syntheticAnalysis(),
    modelled: () => syntheticAnalysis({ source: 'modelled', variants: images(6) }),
    costs: () => syntheticAnalysis({ goals: { cost } }),
    modelledCosts: () => syntheticAnalysis({ source: 'modelled', goals: { cost, failOn: limits } }),
    crossed: () => syntheticAnalysis({ goals: { cost, failOn: limits }, noiseFloor: storedFloor }),
    gates: () => syntheticAnalysis({ variants: images(12), goals: { cost, failOn: limits } }),
    emulated: () => syntheticAnalysis({ source: 'emulated', noiseFloor: storedFloor }),
    factors: () => withFactors(syntheticAnalysis({ variants: fourVariants() })),
    unknown: () => syntheticAnalysis({ source: 'unknown' }),
    partial: () => syntheticAnalysis({ runs: 11, complete: false, checks: [partial] }),
    inconclusive: () =>
      syntheticAnalysis({
        variants: apart,
      }),
    equivalent: () =>
      syntheticAnalysis({
        variants: alike,
      }),
    constant: () =>
      syntheticAnalysis({
        variants: [
          { name: 'native', energiesJ: Array(30).fill(250) },
          { name: 'container', energiesJ: Array(30).fill(250) },
        ],
      }),
    few: () => syntheticAnalysis({ runs: 5 }),
    single: () => syntheticAnalysis({ runs: 1 }),
    lone: () => syntheticAnalysis({ variants: [{ name: 'native' }] }),
    twelve: () => syntheticAnalysis({ variants: images(12) }),
    hostile: () =>
      syntheticAnalysis({
        name: hostileNames.join(' '),
        variants: [{ name: 'native' }, ...hostileNames.map((name, i) => ({ name, meanJ: 251 + i }))],
        checks: hostileNames.map((text) => checkNaming(text, 'warn')),
      }),
    bare: () =>
      syntheticAnalysis({
        bare: true,
        traces: false,
        source: 'unknown',
        variants: [
          { name: 'native', energiesJ: [] },
          { name: 'container', energiesJ: [] },
        ],
      }),
    nothing: () => ({ ...syntheticAnalysis({ variants: [] }), traces: [] }),
    kept: () =>
      syntheticAnalysis({
        goals: { failOn: [{ ...limits[0]!, text: '5%', limit: 5 }, limits[1]!] },
        variants: close,
      }),
  });
}

/** Each is computed once, when it is first looked at: most tests need a few of them. */
function whenAsked<T>(all: Readonly<Record<string, () => T>>): Record<string, T> {
  const lazy: Record<string, T> = {};
  for (const [name, make] of Object.entries(all)) {
    let made: { readonly value: T } | null = null;
    const get = (): T => {
      made ??= { value: make() };
      return made.value;
    };
    Object.defineProperty(lazy, name, { enumerable: true, get });
  }
  return lazy;
}
