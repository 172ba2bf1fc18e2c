import type { Analysis } from '../../analysis/results.ts';
import type { Findings } from '../../findings/findings.ts';
import { details, note, type Section, section, untitled } from '../document/blocks.ts';
import { checks } from '../sections/checks.ts';
import { comparisonTable, everyComparison, why } from '../sections/comparisons.ts';
import { conditions, passport } from '../sections/conditions.ts';
import { costs } from '../sections/costs.ts';
import { factorial } from '../sections/factorial.ts';
import { runTable } from '../sections/runs.ts';
import { statistics } from '../sections/statistics.ts';
import { thresholds } from '../sections/thresholds.ts';
import { channels, phases, resources } from '../sections/use.ts';
import { variants } from '../sections/variants.ts';
import { byInterest } from '../verdict.ts';
import { chartSections } from './figures.ts';

/** Runs in the page without its script. */
const MOST_RUNS = 300;
const EVERY = Number.POSITIVE_INFINITY;

/** Tables that stand below the chart of the same name, or by themselves where there is none. */
const WITH_CHART: readonly ((findings: Findings) => Section | null)[] = [channels, phases, resources];

/** Everything below the head of the page, in its order. */
export function pageSections(analysis: Analysis): Section[] {
  const { findings } = analysis;
  const contrasts = factorial(findings, 'as table and in words');
  return [
    comparisons(findings),
    contrasts && section('factorial', ['Factors and their interaction'], contrasts),
    thresholds(findings),
    ...charts(analysis),
    costs(findings),
    variants(findings),
    everyStatistic(findings),
    checks(findings),
    section('conditions', conditions(findings).title, ...conditions(findings).blocks, passport(findings)),
    runs(analysis),
    section(
      'data',
      ['Data'],
      note(
        'findings.json, runs.csv and samples.csv lie beside this page; experiment.db holds everything that was measured.',
      ),
    ),
  ].filter((part) => part !== null);
}

function comparisons(findings: Findings): Section | null {
  const all = everyComparison(findings);
  if (all.length === 0) return null;
  return section('comparisons', ['Comparisons'], comparisonTable(findings, all), why(findings, EVERY));
}

/** The charts, each with the tables of what it shows; the run that the program lets one choose stands behind its own chart. */
function charts(analysis: Analysis): Section[] {
  const drawn = chartSections(analysis);
  const tables = WITH_CHART.map((make) => make(analysis.findings)).filter((part) => part !== null);
  const none = section('charts', ['Charts'], note('No run gave readings that could be drawn.'));
  return [
    ...drawn.flatMap((chart) => {
      const table = tables.find(({ id }) => id === chart.id) ?? null;
      const whole = { ...chart, blocks: [...chart.blocks, ...untitled(table)] };
      return chart.id === 'power-over-time' ? [whole, SINGLE_RUN] : [whole];
    }),
    ...(drawn.length === 0 ? [none] : []),
    ...tables.filter(({ id }) => !drawn.some((chart) => chart.id === id)),
  ];
}

const SINGLE_RUN = section('single-run', ['Any single run'], {
  kind: 'paragraph',
  role: 'fallback',
  text: ['Every run can be looked at by itself where the browser runs this page’s script.'],
});

function everyStatistic(findings: Findings): Section | null {
  const numbers = statistics(byInterest(findings.comparisons), true);
  return numbers && { ...numbers, blocks: [details(['Every test and effect size'], ...numbers.blocks)] };
}

function runs({ runs: all }: Analysis): Section {
  const few =
    all.length > MOST_RUNS ? note(`The first ${MOST_RUNS} of ${all.length}; all of them are in runs.csv.`) : null;
  return section('runs', ['Runs'], details([`All ${all.length} runs`], few, runTable(all.slice(0, MOST_RUNS))));
}
