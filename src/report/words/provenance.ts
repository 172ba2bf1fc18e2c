import type { EndReason } from '../../findings/comparison.ts';
import type { Findings } from '../../findings/findings.ts';
import { duration, fixed, short, significant } from '../../text/numbers.ts';
import { listed, plain, plural } from '../../text/plain.ts';
import { goOnWords } from '../../text/way-in.ts';
import { code, type Text, text } from '../document/text.ts';
import { executionsPerRun } from '../per-execution.ts';
import { primaryComparisons } from '../verdict.ts';

/** Source of the numbers, for every place that shows them. `warning` is null only for an instrument. */
export interface Provenance {
  /** One or two words for a heading: `Estimated`, `Emulated`. */
  readonly tag: string | null;
  /** For a subtitle: `estimated by a model, not measured`. */
  readonly short: string;
  /** One or two sentences to precede the numbers. */
  readonly warning: string | null;
}

/** Whether the runs were read from a CSV file, which may say whether they were measured, but names no meter and no plan. */
export const isImported = ({ meter }: Findings): boolean => meter.type === 'unknown';

export function provenance(findings: Findings): Provenance {
  const { meter } = findings;
  const which = isImported(findings) ? '' : ` (${plain(meter.type, 40)})`;
  switch (meter.source) {
    case 'measured':
      return { tag: null, short: 'measured', warning: null };
    case 'modelled':
      return {
        tag: 'Estimated, not measured',
        short: 'estimated by a model, not measured',
        warning: `Energy and power here are estimated by a model${which}, not measured: no power meter was read. Do not quote them as energy use.`,
      };
    case 'emulated':
      return {
        tag: 'Emulated meter',
        short: 'emulated meter, not a measurement',
        warning: `Energy and power here come from an emulated meter${which}. They show that joulediff works, and say nothing about energy use.`,
      };
    default:
      return {
        tag: 'Unknown source',
        short: 'source of the numbers unknown',
        warning: 'Where these numbers come from is not known to joulediff: they were read from a file.',
      };
  }
}

/** How an experiment that ended early is continued, as the end of a sentence. */
export const goOnText = (): Text =>
  goOnWords()
    .split('`')
    .flatMap((part, i) => (i % 2 === 1 ? code(part) : part === '' ? [] : part));

export const completionAdvice = (): Text => text`To complete it: ${goOnText()}.`;

/** Words for sources other than instruments, by identifier. */
export const OTHER_SOURCES = {
  measured: 'measured',
  modelled: 'estimated by a model, not measured',
  emulated: 'emulated, not a measurement',
} as const;

/** Name of a channel; if its numbers have another source than the verdict's, it says so. Plain text, not escaped. */
export function channelText({ meter: { channel_sources: sources } }: Findings, channel: string): string {
  const source = sources && Object.hasOwn(sources, channel) ? sources[channel] : undefined;
  return source === undefined ? channel : `${channel} (${OTHER_SOURCES[source]})`;
}

/** Sentences on channels with other sources; empty if all have the same. */
export function sourcesText({ meter: { channel_sources: sources = {} } }: Findings): string {
  const sentences = Object.entries(sources).map(
    ([channel, source]) => `${plain(channel, 40)} is ${OTHER_SOURCES[source]}.`,
  );
  return sentences.join(' ');
}

/** `watts-up-pro, a reading every 1 s, calibrated`. */
export function meterText(findings: Findings): string {
  const { type, sampling_period_s: period, passport } = findings.meter;
  const calibrated = passport?.calibration ? ', calibrated' : '';
  return `${plain(type, 60)}${period === null ? '' : `, a reading every ${duration(period)}`}${calibrated}`;
}

/** Why an experiment ended at an interim analysis; completes `because …`. */
export const STOPPED: Readonly<Record<EndReason, string>> = {
  changed: 'every change was shown',
  settled: 'every comparison was settled',
  precise: 'the interval was as narrow as was asked for',
  futile: 'the blocks that were left would probably have settled nothing',
  complete: 'all planned blocks were measured',
};

/** `30 randomized blocks`, `12 of 30 randomized blocks`, and how it ended where it could end early. */
export function blocksText(findings: Findings): string {
  const { order, repetitions_planned: planned, repetitions_completed: done, complete } = findings.experiment;
  const randomized = order === 'randomized-blocks';
  const noun = randomized ? 'randomized block' : 'block';
  if (planned === null) return done === null ? 'runs without blocks' : plural(done, noun);
  if (done === 0) return `no whole ${noun}`;
  const { looks } = findings.experiment;
  if (looks && looks.stopped_at !== null && done !== null) {
    const because = looks.stopped_because === null ? '' : `: ${STOPPED[looks.stopped_because]}`;
    return `${done} of at most ${plural(planned, noun)}, ended early by plan${because}`;
  }
  const interims =
    looks && looks.planned.length > 1
      ? `, ${looks.used} of ${plural(looks.planned.length, 'interim analysis', 'interim analyses')} done`
      : '';
  if (done === null || (complete && done === planned)) return `${plural(planned, noun)}${interims}`;
  return `${done} of ${plural(planned, noun)}${interims}`;
}

/** Clause on a wanted width of the intervals that was missed, with the widest: `; ±10 % was wanted, ±14 % reached`. Else empty. */
export function missedText(findings: Findings): string {
  const wanted = findings.experiment.looks?.want_percent;
  const widths = primaryComparisons(findings).map(({ percent: { ci95 } }) => ci95 && (ci95[1] - ci95[0]) / 2);
  if (wanted === undefined || widths.every((width) => width !== null && width <= wanted)) return '';
  const widest = Math.max(...widths.map((width) => width ?? Number.POSITIVE_INFINITY));
  return `; ±${short(wanted)} % was wanted, ${Number.isFinite(widest) ? `±${significant(widest, 2)} % reached` : 'not reached'}`;
}

/** `blocks, order, executions, meter, noise floor` in one line. */
export function howParts(findings: Findings): string[] {
  const { seed } = findings.experiment;
  return [
    `${blocksText(findings)}${seed === null ? '' : ` (seed ${seed})`}${missedText(findings)}`,
    ...executionsText(findings),
    ...servicesText(findings),
    `meter: ${meterText(findings)}`,
    noiseFloorText(findings),
  ];
}

/** Services beside the command, and whether their start and end are measured. */
function servicesText({ experiment: { services = [], window, ...experiment } }: Findings): string[] {
  if (services.length === 0) return [];
  const names = listed(
    services.map(({ name, place, machine }) =>
      place === 'machine'
        ? `${plain(name, 40)} (on ${plain(machine ?? 'another machine', 60)}, which is not measured)`
        : plain(name, 40),
    ),
  );
  const what = window === 'service' ? 'with their start and end measured' : 'started and ended outside of the window';
  const reported =
    services.length === 1 ? `service ${names}, ${what.replace('their', 'its')}` : `services ${names}, ${what}`;
  return [reported + clientText(experiment)];
}

function clientText({
  client_place: place,
  client_machine: machine,
}: Pick<Findings['experiment'], 'client_place' | 'client_machine'>): string {
  if (place === undefined) return '';
  if (place === 'host') return '; the command runs on the host for all';
  return `; the command runs on another machine${machine === undefined ? '' : `, ${plain(machine, 60)}`}, which is not measured`;
}

function executionsText(findings: Findings): string[] {
  const executions = executionsPerRun(findings);
  const least = Math.min(...findings.variants.map(({ executions_per_run: count }) => count ?? executions));
  if (findings.suite !== undefined && least < executions) {
    return [
      `${fixed(least, 0)} to ${fixed(executions, 0)} executions of a benchmark in each run, all numbers per execution`,
    ];
  }
  return executions === 1
    ? []
    : [`${fixed(executions, 0)} executions of the command in each run, all numbers per execution`];
}

export function noiseFloorText({ quality: { noise_floor: floor } }: Findings): string {
  if (floor === null) return 'noise floor not measured';
  const when = floor.source === 'inline' ? 'within this experiment' : `on ${floor.measured_at?.slice(0, 10)}`;
  return `noise floor ±${significant(floor.percent, 2)} % (measured ${when})`;
}
