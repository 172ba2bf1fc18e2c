import type { RunResult } from '../../analysis/results.ts';
import type { Comparison, Typical } from '../../findings/comparison.ts';
import type { Findings } from '../../findings/findings.ts';
import { confidenceText, percent, percentInterval, significant } from '../../text/numbers.ts';
import {
  type Alert,
  alert,
  type Block,
  type Card,
  type Heading,
  type Paragraph,
  paragraph,
} from '../document/blocks.ts';
import { name, type Text, text, uncapitalized, withoutStop } from '../document/text.ts';
import { unitOfWork } from '../per-execution.ts';
import { byInterest, failing, getMark, primaryChannel, primaryComparisons, type Standing } from '../verdict.ts';
import { armsTexts, joulesInterval, verdictMark } from '../words/change.ts';
import { cantBeTrusted, headline } from '../words/headline.ts';
import { commitText, measuredText } from '../words/measured.ts';
import { blocksText, howParts, meterText, missedText, noiseFloorText, provenance } from '../words/provenance.ts';

/** Title: the verdict with its interval, and anything that qualifies it. */
export function title(findings: Findings): Heading {
  const { verdict, claim, estimate } = headline(findings);
  const experiment = name(findings.experiment.name);
  const said =
    verdict === 'untrusted'
      ? text`The result of ${experiment} ${cantBeTrusted(findings)}`
      : text`${experiment}: ${uncapitalized(withoutStop(claim))}`;
  return headingOf(findings, verdict, said, [...(estimate === null ? sourceTag(findings) : []), ...endTags(findings)]);
}

/** Heading with the verdict only, if the experiment is already named. */
export function verdictHeading(findings: Findings): Heading {
  const { verdict, claim, estimate } = headline(findings);
  return headingOf(findings, verdict, withoutStop(claim), estimate === null ? sourceTag(findings) : []);
}

function headingOf(findings: Findings, verdict: Standing | null, said: Text, tags: readonly string[]): Heading {
  const tagged = tags.map((tag) => ` — ${tag}`).join('');
  return {
    kind: 'heading',
    level: 1,
    verdict: verdict === null ? 'none' : getMark(findings, verdict),
    text: text`${said}${tagged}`,
  };
}

/** Tag for headings with numbers that were not measured. */
export function sourceTag(findings: Findings): string[] {
  const { tag } = provenance(findings);
  return tag === null || hasNothing(findings) ? [] : [tag.toLowerCase()];
}

function endTags(findings: Findings): string[] {
  const failed = failing(findings);
  return [
    ...(failed.length === 0
      ? []
      : [failed.some((t) => t.state === 'crossed') ? 'threshold crossed' : 'limit not kept']),
    ...(findings.experiment.complete || headline(findings).verdict === 'failed' ? [] : ['partial experiment']),
  ];
}

/** Whether a failed experiment has no energy at all, and so no source to name. */
function hasNothing(findings: Findings): boolean {
  return headline(findings).verdict === 'failed' && findings.variants.every((variant) => variant.energy_j === null);
}

/** Alert that numbers come from a model or emulator, placed before all numbers. It also considers the runs shown by the document. */
export function provenanceAlert(findings: Findings, runs: readonly RunResult[] = []): Alert | null {
  const { warning } = provenance(findings);
  if (warning === null || (hasNothing(findings) && runs.every(({ energyJ }) => energyJ === null))) return null;
  return alert(findings.meter.source === 'unknown' ? 'warning' : 'caution', paragraph({ strong: [warning] }));
}

/** The claim about energy, if the heading is about the measured time. */
export function estimateLine(findings: Findings): Paragraph | null {
  const { estimate } = headline(findings);
  return estimate && paragraph('Estimated by a model, not measured: ', ...uncapitalized(estimate));
}

/** Evidence for the verdict; mean energies are in the table. */
export function verdictDetail(findings: Findings): Paragraph | null {
  const { detail } = headline(findings);
  return detail.length === 0 ? null : paragraph(...detail);
}

/** Commit, runs, order, meter, and the noise floor of this machine. */
export function how(findings: Findings): Text {
  const channel = decidingChannel(findings);
  const measured = measuredText(findings);
  const what = measured.length === 0 ? [] : text`${measured} · `;
  const commit = commitText(findings);
  const at = commit.length === 0 ? [] : text`${commit} · `;
  return text`${what}${at}${[...howParts(findings), ...detectable(findings)].join(' · ')}${channel}`;
}

/** Commit, blocks, meter, noise floor if known, and the deciding channel. */
export function howInShort(findings: Findings): Text {
  const commit = commitText(findings);
  const at = commit.length === 0 ? [] : text`${commit} · `;
  const floor = findings.quality.noise_floor === null ? '' : ` · ${noiseFloorText(findings)}`;
  return text`${at}${blocksText(findings)}${missedText(findings)} · ${meterText(findings)}${floor}${decidingChannel(findings)}`;
}

/** With several channels: the one that the verdict is based on. */
const decidingChannel = (findings: Findings): Text =>
  findings.meter.channels.length > 1 ? text` · verdict from the channel ${name(primaryChannel(findings) ?? '')}` : [];

/** The smallest detectable change: range over the comparisons. */
function detectable(findings: Findings): string[] {
  const primary = primaryComparisons(findings);
  const all = primary.map((c) => c.minimum_detectable_percent).filter((least) => least !== null);
  // The sentence on a single open comparison already has it.
  if (all.length === 0 || (primary.length === 1 && primary[0]?.reason === 'open')) return [];
  const ends = [...new Set([Math.min(...all), Math.max(...all)].map((least) => significant(least, 2)))];
  return [`smallest detectable change ${ends.join(' to ')} %`];
}

/** Maximum comparisons with their own card; a table is shorter for more. */
const MAX_CARDS = 6;

/** The most important numbers, next to the verdict. */
export function cards(findings: Findings): Block | null {
  const comparisons = primaryComparisons(findings);
  const [first] = comparisons;
  // No large numbers that can't be trusted.
  if (first === undefined || comparisons.length > MAX_CARDS || headline(findings).verdict === 'untrusted') return null;
  const made =
    comparisons.length === 1 ? buildCards(findings, first) : byInterest(comparisons).map((c) => cardOf(findings, c));
  return { kind: 'cards', cards: made };
}

function cardOf(findings: Findings, c: Comparison): Card {
  const verdict = getMark(findings, c.verdict);
  const joules = c.typical?.energy_j ? armsTexts(c.typical.energy_j, 'J').change : '';
  return {
    label: text`${name(c.variant)} against ${name(c.baseline)}`,
    value: `${verdictMark(verdict)} ${percent(c.percent.estimate, c.percent.ci95)}`,
    detail: [intervalText(c), joules].filter((part) => part !== '').join('; '),
    verdict,
  };
}

function buildCards(findings: Findings, c: Comparison): Card[] {
  const verdict = getMark(findings, c.verdict);
  const { energy_j: energy = null, duration_s: time = null, mean_power_w: power = null } = c.typical ?? {};
  if (energy === null) return [];
  const { baseline, variant, change } = armsTexts(energy, 'J');
  const interval = joulesInterval(energy);
  const unit = unitOfWork(findings);
  const inPercent = (label: string, found: Typical | null): Card[] =>
    found === null
      ? []
      : [
          {
            label: [label],
            value: percent(found.percent.estimate, found.percent.ci95),
            detail: found.percent.ci95 === null ? '' : `95 % interval ${percentInterval(found.percent.ci95)}`,
          },
        ];
  return [
    {
      label: [`Change per ${unit}`],
      value: `${verdictMark(verdict)} ${change}`,
      detail: interval === null ? '' : `95 % interval ${interval}`,
      verdict,
    },
    { label: [name(c.baseline)], value: baseline, detail: `energy of a typical ${unit}` },
    { label: [name(c.variant)], value: variant, detail: `energy of a typical ${unit}` },
    ...inPercent('Duration', time),
    ...inPercent('Mean power', power),
  ];
}

/** `95 % interval +2.8 to +3.6`; few blocks reach less. */
function intervalText({ percent: { ci95, confidence } }: Comparison): string {
  return ci95 === null ? '' : `${confidenceText(confidence, 0.95)} interval ${percentInterval(ci95)}`;
}
