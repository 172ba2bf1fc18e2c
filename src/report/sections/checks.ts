import type { Check } from '../../findings/checks.ts';
import type { Findings } from '../../findings/findings.ts';
import { plural } from '../../text/plain.ts';
import {
  type Alert,
  alert,
  details,
  firstItems,
  list,
  note,
  type Paragraph,
  type Section,
  section,
  type Table,
  table,
} from '../document/blocks.ts';
import { sentences, type Text, text } from '../document/text.ts';
import { failedChecks } from '../verdict.ts';
import { type CheckTexts, checkTexts } from '../words/checks.ts';
import { headline } from '../words/headline.ts';
import { blocksText, completionAdvice } from '../words/provenance.ts';

const STATES: Readonly<Record<Check['state'], string>> = { ok: 'ok', warn: 'warning', fail: 'failed' };

/** The most important warnings, the most serious first; at most `most`. */
export function warningAlert(findings: Findings, most: number): Alert | null {
  const items = warningTexts(findings);
  if (items.length === 0 || most === 0) return null;
  return alert(
    'warning',
    firstItems(items, most, (count) => `… and ${count} more in the report.`),
  );
}

/** All warnings: the first `most` visible, the others folded. */
export function foldedWarnings(findings: Findings, most: number): Alert | null {
  const items = warningTexts(findings);
  if (items.length === 0) return null;
  const rest = items.slice(most);
  const more = rest.length === 0 ? null : details([plural(rest.length, 'more warning')], list(rest));
  return alert('warning', list(items.slice(0, most)), more);
}

/** All warnings, the most serious first. */
export function warningTexts(findings: Findings): Text[] {
  return warnings(findings).map((warning) => sentences([warning.found, warning.advice ?? []]));
}

/** A warning: the experiment stopped early, or a check failed. */
interface Warning {
  readonly found: Text;
  readonly advice: Text | null;
  /** Whether it says that the plan is incomplete. */
  readonly isPartial: boolean;
}

function warnings(findings: Findings): Warning[] {
  const list: Warning[] = [];
  const { checks } = findings.quality;
  // The check of the plan gives the reason for stopping.
  if (!findings.experiment.complete && !checks.some((c) => c.name === 'plan' && c.state !== 'ok')) {
    list.push({
      found: [
        `Partial experiment: it was stopped with ${blocksText(findings)}; the numbers cover what was measured until then.`,
      ],
      advice: completionAdvice(),
      isPartial: true,
    });
  }
  // Warnings that are already part of the headline are left out.
  const { verdict } = headline(findings);
  const reported = checks.filter((c) =>
    verdict === 'failed' ? c.name === 'plan' : verdict === 'untrusted' && failedChecks(findings).includes(c),
  );
  for (const state of ['fail', 'warn'] as const) {
    for (const check of checks.filter((c) => c.state === state && !reported.includes(c))) {
      const { title, found, advice } = checkTexts(check);
      const isPartial = check.name === 'plan';
      const kind = isPartial ? ['Partial experiment'] : text`${state === 'fail' ? 'Check failed' : 'Check'}: ${title}`;
      list.push({ found: text`${kind}: ${found}`, advice, isPartial });
    }
  }
  return list.sort((a, b) => Number(b.isPartial) - Number(a.isPartial));
}

/** Checks about how an imported file was read: no warnings, but useful for its author. */
const READING: ReadonlySet<Check['name']> = new Set(['notation', 'columns', 'second arm']);

/** How an imported file was read, if that is not obvious from the file. */
export function reading({ quality }: Findings): Paragraph | null {
  const reported = quality.checks.filter(({ name, state }) => state === 'ok' && READING.has(name)).map(checkTexts);
  return reported.length === 0
    ? null
    : note(...sentences(reported.flatMap(({ found, advice }) => [found, advice ?? []])));
}

/** Every check with its finding; those without problems are folded. */
export function checks({ quality }: Findings): Section | null {
  const rows = quality.checks.map((check) => ({ state: check.state, ...checkTexts(check) }));
  if (rows.length === 0) return null;
  const [passed, other] = [rows.filter(({ state }) => state === 'ok'), rows.filter(({ state }) => state !== 'ok')];
  return section(
    'checks',
    ['Checks'],
    other.length === 0 ? null : checkTable('Checks that found something', other),
    passed.length === 0
      ? null
      : details([`${plural(passed.length, 'check')} found nothing wrong`], checkTable('Checks that passed', passed)),
  );
}

interface CheckRow extends Omit<CheckTexts, 'brief'> {
  readonly state: Check['state'];
}

export function checkTable(label: string, all: readonly CheckRow[]): Table {
  return table(
    label,
    all,
    [
      { head: 'Check', cell: (c) => c.title },
      { head: 'State', cell: (c) => STATES[c.state] },
      { head: 'Found', cell: (c) => c.found },
      { head: 'Advice', cell: (c) => c.advice ?? '' },
    ],
    ({ state }) => state !== 'ok',
  );
}
