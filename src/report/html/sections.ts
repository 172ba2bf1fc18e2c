import type { Analysis } from '../../analysis/results.ts';
import type { Findings } from '../../findings/findings.ts';
import { plural } from '../../text/plain.ts';
import { page } from '../charts/canvas/theme.ts';
import { type DrawnChart, drawCharts, type FailedChart } from '../charts/draw.ts';
import { getFrameText } from '../charts/parts/frame.ts';
import { type Block, details, note, paragraph, type Section, section } from '../document/blocks.ts';
import { capitalized, name, text } from '../document/text.ts';
import { analysisPerExecution } from '../per-execution.ts';
import { checks } from '../sections/checks.ts';
import { reproduce } from '../sections/closing.ts';
import { comparisonTable, everyComparison, variantOf, why } from '../sections/comparisons.ts';
import { conditions, passport } from '../sections/conditions.ts';
import { costs } from '../sections/costs.ts';
import { effects } from '../sections/effects.ts';
import { explained, goesWithLine } from '../sections/explain.ts';
import { factorial } from '../sections/factorial.ts';
import { fairness, otherReasons } from '../sections/fairness.ts';
import { methods } from '../sections/methods.ts';
import { metrics } from '../sections/metrics.ts';
import { oneComparison } from '../sections/one-comparison.ts';
import { statistics } from '../sections/statistics.ts';
import { thresholds } from '../sections/thresholds.ts';
import { sourceTag } from '../sections/top.ts';
import { channels, clearResources, phases, resources } from '../sections/use.ts';
import { allRunsText, runTable, variants } from '../sections/variants.ts';
import { byInterest, getStanding, isChanged, primaryComparisons, shownAs } from '../verdict.ts';
import { changeText } from '../words/change.ts';
import { verdictText } from '../words/verdict.ts';

/** Maximum runs in the page without its script. */
const MAX_RUNS = 300;
const EVERY = Number.POSITIVE_INFINITY;

/** Tables that are placed below the chart of the same name, or alone if there is none. */
const WITH_CHART: readonly ((findings: Findings) => Section | null)[] = [channels, phases, resources];

/** Sections that are grouped in the table of contents. */
export interface Group {
  readonly title: string;
  readonly sections: readonly Section[];
}

/** The first picture of the page, and all sections in order. */
export interface PageSections {
  readonly first: Section | null;
  readonly groups: readonly Group[];
}

/** `added`: the figure of a part. */
export function pageSections(analysis: Analysis, added: Block | null = null): PageSections {
  const { findings, runs: shown } = analysisPerExecution(analysis);
  const contrasts = factorial(findings, 'as table and in words') ?? effects(findings, 'as tables');
  const { title, blocks } = conditions(findings);
  // Differences between places are placed beside the explanation.
  const isExplained = findings.explanation !== undefined;
  const pictures = charts(analysis, findings);
  const first = pictures.find(({ blocks: [block] }) => block?.kind === 'figure') ?? null;
  const groups: [string, (Section | null)[]][] = [
    [
      'Results',
      [
        comparisons(findings),
        contrasts && section('factorial', ['Factors and their interaction'], contrasts),
        explained(findings, added),
        isExplained ? fairness(findings) : null,
        thresholds(findings),
        benchmarks(findings),
      ],
    ],
    ['Charts', pictures.filter((picture) => picture !== first)],
    ['Numbers', [costs(findings), variants(findings), metrics(findings), everyStatistic(findings)]],
    [
      'How it was measured',
      [
        checks(findings),
        isExplained ? null : fairness(findings),
        section('conditions', title, ...blocks, passport(findings)),
        reproduction(findings),
        methods(findings),
      ],
    ],
    ['Data', [runs(shown), section('data', ['Files'], note(FILES))]],
  ];
  const filled = groups
    .map(([title, parts]) => ({ title, sections: parts.filter((part) => part !== null) }))
    .filter(({ sections }) => sections.length > 0);
  return { first, groups: filled };
}

const FILES =
  'findings.json, runs.csv and samples.csv are in the same folder as this page; experiment.db holds everything that was measured.';

function reproduction(findings: Findings): Section | null {
  const how = reproduce(findings);
  return how && section('reproduce', how.summary, ...how.blocks);
}

function comparisons(findings: Findings): Section | null {
  const all = everyComparison(findings);
  if (all.length === 0) return null;
  const changed = all.filter(isChanged);
  return section(
    'comparisons',
    ['Comparisons'],
    ...(findings.suite === undefined
      ? [comparisonTable(findings, all)]
      : [
          changed.length === 0 ? note('No change is shown in any benchmark.') : comparisonTable(findings, changed),
          details([`All ${plural(all.length, 'comparison')}`], comparisonTable(findings, all)),
        ]),
    why(findings, EVERY, false),
    clearResources(findings),
    goesWithLine(findings),
    otherReasons(findings),
  );
}

/** Each benchmark of a suite as a folded section. */
function benchmarks(findings: Findings): Section | null {
  if (findings.suite === undefined) return null;
  const several = findings.suite.variants.length > 2;
  const each = byInterest(primaryComparisons(findings)).map((comparison) => {
    const compared = { findings, comparison };
    const tags = getStanding(compared) === 'untrusted' ? ["can't be trusted"] : sourceTag(findings);
    const who = several ? text`, ${name(variantOf(comparison))}` : [];
    const title = text`${name(comparison.benchmark ?? '')}${who}: ${[changeText(comparison), ...tags].join(' — ')}`;
    const words = paragraph(...verdictText(comparison, findings.experiment.margin_percent));
    return { ...details(title, oneComparison(findings, comparison), words), verdict: shownAs(compared) };
  });
  return each.length === 0 ? null : section('benchmarks', ['Benchmark by benchmark'], ...each);
}

/** Charts with the tables of what they show; the viewer of single runs follows the chart of runs. */
function charts(analysis: Analysis, findings: Findings): Section[] {
  const drawn = chartSections(analysis);
  const tables = WITH_CHART.map((make) => make(findings)).filter((part) => part !== null);
  const none = section('charts', ['Charts'], note('No run gave readings that could be drawn.'));
  return [
    ...drawn.flatMap((chart) => {
      const table = tables.find(({ id }) => id === chart.id) ?? null;
      const whole = { ...chart, blocks: [...chart.blocks, ...(table?.blocks ?? [])] };
      return chart.id === 'power-over-time' ? [whole, SINGLE_RUN] : [whole];
    }),
    ...(drawn.length === 0 ? [none] : []),
    ...tables.filter(({ id }) => !drawn.some((chart) => chart.id === id)),
  ];
}

const SINGLE_RUN = section('single-run', ['Any single run'], {
  kind: 'paragraph',
  role: 'fallback',
  text: ['With JavaScript, any run can be viewed by itself here.'],
});

function everyStatistic(findings: Findings): Section | null {
  const numbers = statistics(byInterest(findings.comparisons), true);
  return numbers && { ...numbers, blocks: [details(['Every test and effect size'], ...numbers.blocks)] };
}

function runs(all: Analysis['runs']): Section {
  const few =
    all.length > MAX_RUNS ? note(`The first ${MAX_RUNS} of ${all.length} lines; all of them are in runs.csv.`) : null;
  return section('runs', ['Runs'], details([allRunsText(all)], few, runTable(all.slice(0, MAX_RUNS))));
}

/** Maximum bytes of one drawing, and of all; the script draws larger ones from the data. */
const MAX_BYTES = 250_000;
const MAX_IN_ALL = 700_000;

/** Every chart as a section of the page. The top of the page explains the source of the numbers. */
export function chartSections(analysis: Analysis, draw: typeof drawCharts = drawCharts): Section[] {
  let left = MAX_IN_ALL;
  return draw(analysis, { ...page, bare: true }).map((chart) => {
    if ('error' in chart) return failure(chart);
    const fits = chart.svg.length <= Math.min(MAX_BYTES, left);
    if (fits) left -= chart.svg.length;
    return figure(chart, fits);
  });
}

function figure({ id, spec, svg }: DrawnChart, fits: boolean): Section {
  const { what, caption } = getFrameText(spec) ?? { what: spec.title, caption: '' };
  return section(id, capitalized([what]), { kind: 'figure', id, svg: fits ? svg : null, caption: [caption] });
}

function failure({ id, error }: FailedChart): Section {
  const reason = error instanceof Error ? error.message : String(error);
  return section(
    id,
    capitalized([id.replaceAll('-', ' ')]),
    paragraph('This chart could not be drawn (', { code: reason }, '). Its data are in the CSV files of this result.'),
  );
}
