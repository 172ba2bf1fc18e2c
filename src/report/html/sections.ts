import type { Analysis } from '../../analysis/results.ts';
import type { Check } from '../../findings/checks.ts';
import type { Findings } from '../../findings/findings.ts';
import { factorialNote, factorialTable } from '../factorial.ts';
import { manyStatisticsTable, statisticsTable } from '../statistics.ts';
import {
  checkRows,
  comparisonTable,
  conditionsTable,
  runTable,
  type Table,
  variantTable,
  whyTable,
} from '../tables.ts';
import { byInterest, primaryComparisons } from '../verdict.ts';
import { verdictMark } from '../words.ts';
import type { Figure } from './figures.ts';
import { intervalDrawings } from './interval.ts';
import { details, longTable, note, type Section, table } from './parts.ts';
import { passportTable } from './passport.ts';
import { costsNote, costsTable, thresholdsTable } from './question-tables.ts';
import { channelsTable, phaseComparisonsTable, phasesTable, resourcesTable } from './use-tables.ts';

/** Runs in the page without its script. */
const MOST_RUNS = 300;
/** Where the run that the script lets one choose stands: behind this chart. */
const BEFORE_RUN = 'power-over-time';

/** Everything below the head of the page, in its order. */
export function pageSections(analysis: Analysis, figures: readonly Figure[]): Section[] {
  const { findings } = analysis;
  const drawn = withTables(analysis, figures);
  return [
    results(analysis),
    plain('factorial', 'Factors and their interaction', factorialTable(findings, true), factorialNote(findings)),
    plain('thresholds', 'Thresholds', thresholdsTable(findings)),
    ...drawn,
    plain('costs', 'Money and carbon', costsTable(findings), costsNote(findings)),
    plain('variants', 'Variants', findings.variants.length === 0 ? null : variantTable(findings)),
    statistics(analysis),
    checks(findings),
    conditions(findings),
    runs(analysis),
    data(),
  ].filter((section) => section !== null);
}

function plain(id: string, title: string, content: Table | null, words = ''): Section | null {
  return content === null ? null : { id, title, body: longTable(content, title) + (words === '' ? '' : note(words)) };
}

function results({ findings }: Analysis): Section | null {
  const primary = byInterest(primaryComparisons(findings));
  const ordered = [...primary, ...byInterest(findings.comparisons.filter((c) => !primary.includes(c)))];
  if (ordered.length === 0) return null;
  const why = whyTable(primary);
  const drawings = intervalDrawings(ordered, findings.experiment.margin_percent);
  const rows = comparisonTable(findings, ordered, verdictMark);
  // Behind the change, before the effect size and the verdict.
  const before = rows.head.length - 2;
  return {
    id: 'comparisons',
    title: 'Comparisons',
    body: [
      longTable(rows, 'Comparisons', { ...drawings, before }),
      why.rows.length === 0 ? '' : `<h3>Why</h3>\n${longTable(why, 'Why')}`,
    ].join('\n'),
  };
}

/** The charts, each with the table of what it shows where there is one; tables without a chart follow. */
function withTables({ findings }: Analysis, figures: readonly Figure[]): Section[] {
  const tables = [
    { word: 'channel', id: 'channels', title: 'Channels', list: [channelsTable(findings)] },
    { word: 'phase', id: 'phases', title: 'Phases', list: [phasesTable(findings), phaseComparisonsTable(findings)] },
    { word: 'resource', id: 'resources', title: 'Resources', list: [resourcesTable(findings)] },
  ].map(({ list, ...rest }) => ({ ...rest, list: list.filter((t) => t !== null) }));
  const html = (t: (typeof tables)[number]): string => t.list.map((each) => table(each, t.title)).join('\n');
  const sections = figures.flatMap((f): Section[] => {
    const beside = tables.filter((t) => f.id.includes(t.word));
    const whole = { id: f.id, title: f.title, body: [f.body, ...beside.map(html)].join('\n') };
    return f.id === BEFORE_RUN ? [whole, singleRun] : [whole];
  });
  const alone = tables.filter((t) => t.list.length > 0 && !figures.some((f) => f.id.includes(t.word)));
  if (figures.length === 0)
    sections.push({ id: 'charts', title: 'Charts', body: note('No run gave readings that could be drawn.') });
  return [...sections, ...alone.map((t) => ({ id: t.id, title: t.title, body: html(t) }))];
}

const singleRun: Section = {
  id: 'single-run',
  title: 'Any single run',
  body: '<p class="note static">Every run can be looked at by itself where the browser runs this page’s script.</p>',
};

function statistics({ findings }: Analysis): Section | null {
  const ordered = byInterest(findings.comparisons);
  if (ordered.length === 0) return null;
  const content = ordered.length <= 4 ? statisticsTable(ordered) : manyStatisticsTable(ordered);
  return {
    id: 'statistics',
    title: 'Statistics',
    body: details('Every test and effect size', table(content, 'Statistics')),
  };
}

function checks({ quality }: Findings): Section | null {
  if (quality.checks.length === 0) return null;
  return { id: 'checks', title: 'Checks', body: checkTable(quality.checks, 'Checks') };
}

function checkTable(list: readonly Check[], label: string): string {
  return table(
    checkRows(list),
    label,
    undefined,
    list.map(({ state }) => (state === 'ok' ? null : 'attention')),
  );
}

function conditions(findings: Findings): Section {
  const title = 'Machine, meter and conditions';
  const { passport } = findings.meter;
  const meter =
    passport === null
      ? []
      : [
          '<h3>The meter’s passport</h3>',
          note('What joulediff meter check found out about the meter on this machine, before the experiment.'),
          table(passportTable(passport), 'The meter’s passport'),
          ...(passport.checks.length === 0 ? [] : [checkTable(passport.checks, 'Checks of the meter')]),
        ];
  return { id: 'conditions', title, body: [table(conditionsTable(findings), title), ...meter].join('\n') };
}

function runs({ runs: all }: Analysis): Section {
  const few =
    all.length > MOST_RUNS ? note(`The first ${MOST_RUNS} of ${all.length}; all of them are in runs.csv.`) : '';
  return {
    id: 'runs',
    title: 'Runs',
    body: details(`All ${all.length} runs`, `${few}${table(runTable(all.slice(0, MOST_RUNS)), 'Runs')}`),
  };
}

function data(): Section {
  return {
    id: 'data',
    title: 'Data',
    body: note(
      'findings.json, runs.csv and samples.csv lie beside this page; experiment.db holds everything that was measured.',
    ),
  };
}
