import type { Analysis } from '../../analysis/results.ts';
import type { Comparison, Verdict } from '../../findings/comparison.ts';
import type { Findings } from '../../findings/findings.ts';
import { confidenceText, percent, percentInterval, quantity, significant } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { headlineBrief } from '../brief.ts';
import { htmlText } from '../escape.ts';
import { visibleParts } from '../sections.ts';
import { failing, thresholdCount } from '../threshold-words.ts';
import { byInterest, meanEnergies, primaryComparisons } from '../verdict.ts';
import { plainText } from '../words/compose.ts';
import { headline } from '../words/headline.ts';
import { howParts, percentOfLog, provenance, verdictMark, verdictWord, warnings } from '../words.ts';
import { details } from './parts.ts';

/** The head of the page: what came out, and what to know before believing it. */
export function top({ findings }: Analysis): string {
  const { sentence, rest, short, verdict } = headline(findings);
  const { warning } = provenance(findings);
  const mark =
    verdict === null ? '' : `<span class="mark ${verdict}" aria-hidden="true">${verdictMark(verdict)}</span> `;
  return [
    `<p class="eyebrow">joulediff: energy of <bdi>${htmlText(findings.experiment.name)}</bdi></p>`,
    `<h1>${mark}${htmlText(short.charAt(0).toUpperCase() + short.slice(1))}</h1>`,
    warning === null ? '' : `<p class="box loud" role="note">${htmlText(warning)}</p>`,
    briefly(findings),
    `<p><span class="sentence">${htmlText(plainText(sentence))}</span> ${htmlText(plainText(rest))}</p>`,
    thresholds(findings),
    cards(findings),
    `<p class="how">${htmlText([...howParts(findings), ...visibleParts(findings)].join(' · '))}</p>`,
    caveats(findings),
  ].join('\n');
}

/** Of several comparisons the cards say it. */
function briefly(findings: Findings): string {
  const brief = headlineBrief(findings);
  return brief === null ? '' : `<p class="brief"><bdi>${htmlText(brief.variant)}</bdi> ${htmlText(brief.numbers)}</p>`;
}

/** What fails the job is told before its numbers; the section has all of them. */
function thresholds(findings: Findings): string {
  const count = failing(findings).length === 0 ? null : thresholdCount(findings);
  return count === null ? '' : `<p><a href="#thresholds">This fails the job</a>: ${htmlText(count)}</p>`;
}

interface Card {
  readonly label: string;
  readonly value: string;
  readonly detail: string;
  readonly verdict?: Verdict;
}

/** The numbers that most readers come for. */
function cards(findings: Findings): string {
  const comparisons = primaryComparisons(findings);
  const list = comparisons.length === 1 ? ofOne(findings, comparisons[0]!) : ofMany(comparisons);
  if (list.length === 0) return '';
  const item = ({ label, value, detail, verdict }: Card): string =>
    `<div${verdict ? ` class="${verdict}"` : ''}><dt>${htmlText(label)}</dt><dd><b>${htmlText(value)}</b> <span>${htmlText(detail)}</span></dd></div>`;
  return `<dl class="cards">${list.map(item).join('\n')}</dl>`;
}

function ofOne(findings: Findings, c: Comparison): Card[] {
  const means = meanEnergies(findings, c);
  const variant = (name: string): string => {
    const sd = findings.variants.find((v) => v.name === name)?.energy_j?.sd ?? null;
    return `mean energy of a run${sd === null ? '' : `, sd ${significant(sd, 2)} J`}`;
  };
  const log = (part: Comparison['why']['log_time'], label: string): Card[] =>
    part === null
      ? []
      : [{ label, value: percent(percentOfLog(part.mean)), detail: part.ci95 === null ? '' : logInterval(part.ci95) }];
  const least = c.minimum_detectable_percent;
  return [
    {
      label: 'Change of energy',
      value: percent(c.percent.estimate, c.percent.ci95),
      detail: intervalOf(c) ?? '',
      verdict: c.verdict,
    },
    { label: c.baseline, value: quantity(means.baseline, 'J'), detail: variant(c.baseline) },
    { label: c.variant, value: quantity(means.variant, 'J'), detail: variant(c.variant) },
    ...log(c.why.log_time, 'of which time'),
    ...log(c.why.log_power, 'of which power'),
    ...(least === null
      ? []
      : [{ label: 'Detectable', value: `${significant(least, 2)} %`, detail: 'the smallest change seen reliably' }]),
  ];
}

/** `95 % interval +2.8 to +3.6`; few blocks reach less. */
function intervalOf({ percent: { ci95, confidence } }: Comparison): string | null {
  return ci95 === null ? null : `${confidenceText(confidence, 0.95)} interval ${percentInterval(ci95)}`;
}

function logInterval([low, high]: readonly [number, number]): string {
  return `95 % interval ${percentInterval([percentOfLog(low), percentOfLog(high)])}`;
}

/** Comparisons that each get a card of their own. */
const MOST_CARDS = 6;

function ofMany(comparisons: readonly Comparison[]): Card[] {
  if (comparisons.length <= MOST_CARDS) {
    return byInterest(comparisons).map((c) => ({
      label: `${c.variant} against ${c.baseline}`,
      value: `${verdictMark(c.verdict)} ${percent(c.percent.estimate, c.percent.ci95)}`,
      detail: intervalOf(c) ?? verdictWord(c.verdict),
      verdict: c.verdict,
    }));
  }
  const verdicts = ['increase', 'decrease', 'changed-within-margin', 'equivalent', 'inconclusive'] as const;
  return verdicts.flatMap((verdict) => {
    const count = comparisons.filter((c) => c.verdict === verdict).length;
    const label = `${verdictMark(verdict)} ${verdictWord(verdict)}`;
    return count === 0
      ? []
      : [{ label, value: String(count), detail: `of ${comparisons.length} comparisons`, verdict }];
  });
}

/** Warnings in the open; the others are folded, so that the results stay near. */
const MOST_OPEN = 4;

function caveats(findings: Findings): string {
  const all = warnings(findings);
  if (all.length === 0) return '';
  const list = (some: typeof all): string => {
    const items = some.map(
      ({ text, advice }) => `<li>${htmlText(text)} ${advice === null ? '' : htmlText(advice)}</li>`,
    );
    return `<ul>${items.join('\n')}</ul>`;
  };
  const rest = all.slice(MOST_OPEN);
  const folded = rest.length === 0 ? '' : details(`${plural(rest.length, 'more warning')}`, list(rest));
  return `<div class="box" role="note">${list(all.slice(0, MOST_OPEN))}${folded}</div>`;
}
