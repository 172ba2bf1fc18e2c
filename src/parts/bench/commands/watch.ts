import type { MeterEvent, MeterInfo, Sample } from '../../../contracts/reading.ts';
import type { Streams } from '../../../terminal/terminal.ts';
import { durationText } from '../../../text/numbers.ts';
import { screenJson, visible } from '../../../text/plain.ts';
import { LiveChannel, LiveEvents } from '../tools/live.ts';

/** Display of readings. */
export interface Watch {
  sample(channel: string, sample: Sample): void;
  event(event: MeterEvent): void;
  end(): void;
}

type Source = MeterInfo['source'];

/** Prints a line per reading: time of day, channel, watts; or JSON. Events go to stderr, or as JSON between the readings. */
export function lineWatch({ stdout, stderr }: Streams, infos: readonly MeterInfo[], asJson: boolean): Watch {
  const sources = new Map(infos.flatMap(({ channels, source }) => channels.map(({ channel }) => [channel, source])));
  const getSource = (channel: string) => sources.get(channel) ?? 'measured';
  const line = asJson ? sampleJson : sampleLine;
  return {
    sample: (channel, sample) => stdout.write(`${line(channel, sample, getSource(channel))}\n`),
    event: (event) =>
      asJson ? stdout.write(`${eventJson(event)}\n`) : stderr.write(`${timeOfDay()}  ${visible(eventWords(event))}\n`),
    end: () => {},
  };
}

/** The current time; close enough to that of the reading for people. */
const timeOfDay = (): string => new Date().toISOString();

const eventWords = ({ kind, detail }: MeterEvent): string => `${kind}: ${detail}`;

function sampleLine(channel: string, { powerW }: Sample, source: Source): string {
  return `${timeOfDay()}  ${channel}  ${watts(powerW)}${source === 'measured' ? '' : `  ${source}`}`;
}

/** Nanoseconds as a plain number: JSON does not limit its digits. */
function sampleJson(channel: string, { tNs, powerW, durationS }: Sample, source: Source): string {
  return `{"t_ns":${tNs},${JSON.stringify({ channel, power_w: powerW, duration_s: durationS, source }).slice(1)}`;
}

function eventJson({ tNs, kind, detail }: MeterEvent): string {
  return `{"t_ns":${tNs},${screenJson(JSON.stringify({ event: kind, detail })).slice(1)}`;
}

const REDRAW_MS = 100;

/** A block of text that is redrawn with the readings, at most ten times per second. */
export function screenWatch(screen: Streams['stdout'], infos: readonly MeterInfo[]): Watch {
  const channels = infos.flatMap((info) => info.channels).map((info) => new LiveChannel(info));
  const events = new LiveEvents();
  const startMs = performance.now();
  let height = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = (ended = false) => {
    timer = undefined;
    const elapsedS = (performance.now() - startMs) / 1000;
    const lines = liveBlock({ infos, channels, events, elapsedS, ended }, screen.columns || 80);
    const up = height === 0 ? '' : `\x1b[${height}A`;
    screen.write(`${up}\r${lines.map((line) => `\x1b[K${line}`).join('\n')}\n\x1b[J`);
    height = lines.length;
  };
  const soon = () => {
    timer ??= setTimeout(() => draw(), REDRAW_MS);
  };
  draw();
  return {
    sample: (channel, sample) => {
      channels.find(({ info }) => info.channel === channel)?.take(sample);
      soon();
    },
    event: (event) => {
      events.take(event);
      soon();
    },
    end: () => {
      clearTimeout(timer);
      draw(true);
    },
  };
}

export interface LiveBlock {
  readonly infos: readonly MeterInfo[];
  readonly channels: readonly LiveChannel[];
  readonly events: LiveEvents;
  readonly elapsedS: number;
  readonly ended: boolean;
}

/** Lines of `meter watch` for a terminal of this width; each fits into a line. */
export function liveBlock({ infos, channels, events, elapsedS, ended }: LiveBlock, columns: number): string[] {
  const lines = [
    infos.map(title).join(' + '),
    ...channels.flatMap((channel) => channelLines(channel, columns)),
    `gaps ${events.gaps} · ${durationText(elapsedS)}${events.last === null ? '' : ` · ${events.last.kind}: ${events.last.detail}`}`,
    ...(ended ? [] : ['Press Ctrl-C to stop it.']),
  ];
  return lines.map((line) => [...visible(line)].slice(0, Math.max(1, columns - 1)).join(''));
}

function title({ type, address, source }: MeterInfo): string {
  const words = source === 'emulated' ? ' (EMULATED)' : source === 'modelled' ? ' (a MODEL)' : '';
  return `${type}${address === null ? '' : ` on ${address}`}${words}`;
}

function channelLines(channel: LiveChannel, columns: number): string[] {
  const { channel: name } = channel.info;
  const now = channel.now();
  if (!now) return [`${name}  no reading yet`, '', ''];
  const head = `${name}  ${watts(now.powerW).padStart(9)}  `;
  const trace = sparkline(now.traceW, Math.min(60, columns - head.length - 1), 0.02 * Math.abs(now.meanW));
  const rate = now.rateHz === null ? '…' : `${now.rateHz.toFixed(3)}/s`;
  const jitter = now.jitterS === null ? '…' : `${(now.jitterS * 1000).toFixed(1)} ms`;
  return [
    head + trace,
    `  min ${watts(now.minW)} · mean ${watts(now.meanW)} · max ${watts(now.maxW)}`,
    `  readings ${now.readings} · rate ${rate} · jitter ${jitter}`,
  ];
}

/** Watts with the usual digits of meters. */
export function watts(powerW: number): string {
  return `${powerW.toFixed(Math.abs(powerW) < 10 ? 2 : 1)} W`;
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * The last `width` values as a line of bars between minimum and maximum. Ranges below `leastRange` are not
 * stretched to the full height.
 */
export function sparkline(values: readonly number[], width: number, leastRange: number): string {
  const shown = width > 0 ? values.slice(-width) : [];
  const least = Math.min(...shown);
  const range = Math.max(Math.max(...shown) - least, leastRange);
  return shown.map((value) => BARS[range > 0 ? Math.min(7, Math.floor(((value - least) / range) * 8)) : 0]).join('');
}
