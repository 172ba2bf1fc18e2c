import type { Comparison, Verdict } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import { confidenceText, duration, fixed, percent, percentWithInterval, signed, significant } from '../text/numbers.ts';
import { plain, plural } from '../text/plain.ts';
import type { Text } from './document/text.ts';
import { phaseText } from './phase-words.ts';
import { checkTexts } from './words/checks.ts';
import { code, text } from './words/compose.ts';

/** What the documents say about the same things in the same words. Plain text: each document escapes for itself. */

const VERDICTS: Readonly<Record<Verdict, { icon: string; mark: string; word: string }>> = {
  increase: { icon: '🔺', mark: '▲', word: 'more energy' },
  decrease: { icon: '🔽', mark: '▼', word: 'less energy' },
  'changed-within-margin': { icon: '≈', mark: '≈', word: 'within margin' },
  equivalent: { icon: '≈', mark: '≈', word: 'equivalent' },
  inconclusive: { icon: '❔', mark: '?', word: 'inconclusive' },
};

/** Emoji, for where the platform brings its own. */
export function verdictIcon(verdict: Verdict): string {
  return VERDICTS[verdict].icon;
}

/** A sign that every font has. */
export function verdictMark(verdict: Verdict): string {
  return VERDICTS[verdict].mark;
}

export function verdictWord(verdict: Verdict): string {
  return VERDICTS[verdict].word;
}

/** How the numbers came about, for every place where they are shown. `warning` is null only for an instrument. */
export interface Provenance {
  /** One or two words for a heading: `Estimated`, `Emulated`. */
  readonly tag: string | null;
  /** For a subtitle: `estimated by a model, not measured`. */
  readonly short: string;
  /** A sentence or two that stand before the numbers. */
  readonly warning: string | null;
}

export function provenance(findings: Findings): Provenance {
  const { meter } = findings;
  switch (meter.source) {
    case 'measured':
      return { tag: null, short: 'measured', warning: null };
    case 'modelled':
      return {
        tag: 'Estimated, not measured',
        short: 'estimated by a model, not measured',
        warning: `These numbers are estimated by a model (${plain(meter.type, 40)}), not measured. No power meter was read; do not quote them as energy use.`,
      };
    case 'emulated':
      return {
        tag: 'Emulated meter',
        short: 'emulated meter, not a measurement',
        warning: `These numbers come from an emulated meter (${plain(meter.type, 40)}). They show that joulediff works, and say nothing about energy use.`,
      };
    default:
      return {
        tag: 'Unknown source',
        short: 'source of the numbers unknown',
        warning: 'Where these numbers come from is not known to joulediff: they were read from a file.',
      };
  }
}

const OTHER_SOURCES = {
  measured: 'measured',
  modelled: 'estimated by a model, not measured',
  emulated: 'emulated, not a measurement',
} as const;

/** A channel's name beside its numbers: where these are of another kind than those of the verdict, it says so. Plain text with the name as it is. */
export function channelText({ meter: { channel_sources: sources } }: Findings, channel: string): string {
  const source = sources && Object.hasOwn(sources, channel) ? sources[channel] : undefined;
  return source === undefined ? channel : `${channel} (${OTHER_SOURCES[source]})`;
}

/** The same for all of them, as sentences; empty where all are of one kind. */
export function sourcesText({ meter: { channel_sources: sources = {} } }: Findings): string {
  const told = Object.entries(sources).map(([channel, source]) => `${plain(channel, 40)} is ${OTHER_SOURCES[source]}.`);
  return told.join(' ');
}

/** `watts-up-pro, a reading every 1 s`. */
export function meterText(findings: Findings): string {
  const { type, sampling_period_s: period } = findings.meter;
  return `${plain(type, 60)}${period === null ? '' : `, a reading every ${duration(period)}`}`;
}

/** `30 randomized blocks`, `12 of 30 randomized blocks`, and how it ended where it could end early. */
export function blocksText(findings: Findings): string {
  const { order, repetitions_planned: planned, repetitions_completed: done, complete } = findings.experiment;
  const randomized = order === 'randomized-blocks';
  const noun = randomized ? 'randomized block' : 'block';
  if (planned === null) return done === null ? 'runs without blocks' : plural(done, noun);
  const { looks } = findings.experiment;
  if (looks && looks.stopped_at !== null && done !== null) {
    return `${done} of at most ${plural(planned, noun)}, ended early by plan at look ${looks.used} of ${looks.planned.length}`;
  }
  const looked = looks ? `, ${looks.used} of ${plural(looks.planned.length, 'look')} taken` : '';
  if (done === null || (complete && done === planned)) return `${plural(planned, noun)}${looked}`;
  return `${done} of ${plural(planned, noun)}${looked}`;
}

/** `blocks, order, meter, noise floor` in one line. */
export function howParts(findings: Findings): string[] {
  const { seed } = findings.experiment;
  return [
    `${blocksText(findings)}${seed === null ? '' : ` (seed ${seed})`}`,
    `meter: ${meterText(findings)}`,
    noiseFloorText(findings),
  ];
}

function noiseFloorText({ quality: { noise_floor: floor } }: Findings): string {
  if (floor === null) return 'noise floor not measured';
  const when = floor.source === 'inline' ? 'within this experiment' : `on ${floor.measured_at?.slice(0, 10)}`;
  return `noise floor ±${significant(floor.percent, 2)} % (measured ${when})`;
}

export function percentOfLog(log: number): number {
  return 100 * Math.expm1(log);
}

/**
 * Where a change comes from: time or power, which channels carry it, which phases. A clause without the variant's name, in which names of
 * phases are put as they are: escape. Null: nothing is known.
 */
export function whyText(comparison: Comparison): string | null {
  const parts = [timeOrPower(comparison), carriedText(comparison), phaseText(comparison)].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? null : parts.join('; ');
}

function timeOrPower(comparison: Comparison): string | null {
  const { log_time: time, log_power: power, time_share: timeShare, power_share: powerShare } = comparison.why;
  if (time === null || power === null) return null;
  const both = `time ${percent(percentOfLog(time.mean))}, power ${percent(percentOfLog(power.mean))}`;
  if (timeShare === null || powerShare === null) return `${both} (no clear difference to explain)`;
  // A little of the other sign is no pull.
  if (powerShare >= 0.8 && powerShare <= 1.2) return `${both}: almost all of it is power`;
  if (timeShare >= 0.8 && timeShare <= 1.2) return `${both}: almost all of it is time`;
  if (timeShare < 0 || powerShare < 0) return `${both}: they pull in opposite directions`;
  return `${both}: ${fixed(100 * timeShare, 0)} % of it is time, ${fixed(100 * powerShare, 0)} % is power`;
}

/** Names that the channels have in sentences; only such channels are parts of another. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['package', 'the processor package'],
  ['dram', 'memory'],
  // Alone only where memory has no counter of its own.
  ['rapl', 'the processor package'],
  ['everything-else', 'everything else'],
]);

/** `the processor package carries 70 % of it, everything else 30 %`; null without channels that are parts, or without a clear difference. */
function carriedText({ contributions: parts = [] }: Comparison): string | null {
  const named = parts.map(({ channel, ...part }) => ({
    ...part,
    name: PARTS.get(channel.replace(/-\d+$/, '')) ?? null,
  }));
  if (named.length === 0 || named.some(({ name, share }) => name === null || share === null)) return null;
  const isBack = ({ share, ci95 }: (typeof named)[number]): boolean =>
    (share ?? 0) < 0 && ci95 !== null && (ci95[0] > 0 || ci95[1] < 0);
  if (named.some(isBack)) {
    const amounts = named.map(
      ({ name, difference_j }) => `${name} ${signed(difference_j, energyDecimals(difference_j))} J`,
    );
    return `${amounts.join(', ')}: they pull in opposite directions`;
  }
  // Less than nothing by chance alone is nothing to tell.
  const told = named.filter(({ share }) => (share ?? 0) >= 0);
  const shares = told.map(
    ({ name, share }, i) =>
      `${name} ${i === 0 ? 'carries ' : ''}${fixed(100 * (share ?? 0), 0)} %${i === 0 ? ' of it' : ''}`,
  );
  return shares.join(', ');
}

/** Two significant digits. */
function energyDecimals(joules: number): number {
  return joules === 0 ? 0 : Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(Math.abs(joules)))));
}

export function effectText(comparison: Comparison): string | null {
  const { cliffs_delta: delta, hedges_g: g } = comparison.effect;
  if (delta !== null) return `Cliff’s δ ${fixed(delta.value, 2)} (${delta.magnitude})`;
  return g === null ? null : `Hedges’ g ${fixed(g.value, 2)} (${g.magnitude})`;
}

/** What a reader must know beside the numbers: stopped early, failed checks. The first is the gravest. */
export interface Warning {
  readonly text: Text;
  readonly advice: Text | null;
  /** That the experiment is not through its plan. */
  readonly isPartial: boolean;
}

export function warnings(findings: Findings): Warning[] {
  const list: Warning[] = [];
  const { checks } = findings.quality;
  // The check of the plan knows why it was stopped.
  if (!findings.experiment.complete && !checks.some((c) => c.name === 'plan' && c.state !== 'ok')) {
    list.push({
      text: [
        `Partial experiment: it was stopped after ${blocksText(findings)}; the numbers are of what was measured until then.`,
      ],
      advice: text`To complete it: ${code('joulediff run --resume')}`,
      isPartial: true,
    });
  }
  for (const state of ['fail', 'warn'] as const) {
    for (const check of checks.filter((c) => c.state === state)) {
      const { title, found, advice } = checkTexts(check);
      const isPartial = check.name === 'plan';
      const kind = isPartial ? ['Partial experiment'] : text`${state === 'fail' ? 'Check failed' : 'Check'}: ${title}`;
      list.push({ text: text`${kind}: ${found}`, advice, isPartial });
    }
  }
  return list.sort((a, b) => Number(b.isPartial) - Number(a.isPartial));
}

interface Changed {
  readonly percent: Pick<Comparison['percent'], 'estimate' | 'ci95' | 'confidence'>;
}

/** `+3.2 % (+2.8 to +3.6)`, and the confidence where few blocks reach less than 95 %. */
export function changeText({ percent: { estimate, ci95, confidence } }: Changed): string {
  const less = confidence === null || confidence >= 0.95 ? '' : `, at ${confidenceText(confidence, 0.95)}`;
  return ci95 === null
    ? percentWithInterval(estimate, ci95)
    : percentWithInterval(estimate, ci95).replace(/\)$/, `${less})`);
}
