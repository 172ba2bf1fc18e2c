import type { MeterEvent, MeterInfo, Sample } from '../meters/meter.ts';
import { LiveChannel, LiveEvents } from '../meters/tools/live.ts';
import { visible } from '../text/plain.ts';
import { liveBlock, watts } from './live-block.ts';
import type { Streams } from './terminal.ts';

/** Where readings are shown. */
export interface Watch {
  sample(channel: string, sample: Sample): void;
  event(event: MeterEvent): void;
  end(): void;
}

type Source = MeterInfo['source'];

/** A line a reading: time of day, channel, watts; or JSON. Events go to stderr, as JSON among the readings. */
export function lineWatch({ stdout, stderr }: Streams, infos: readonly MeterInfo[], asJson: boolean): Watch {
  const sources = new Map(infos.flatMap(({ channels, source }) => channels.map(({ channel }) => [channel, source])));
  const sourceOf = (channel: string) => sources.get(channel) ?? 'measured';
  const line = asJson ? sampleJson : sampleLine;
  return {
    sample: (channel, sample) => stdout.write(`${line(channel, sample, sourceOf(channel))}\n`),
    event: (event) =>
      asJson ? stdout.write(`${eventJson(event)}\n`) : stderr.write(`${timeOfDay()}  ${visible(eventWords(event))}\n`),
    end: () => {},
  };
}

/** Now, which is close enough for a person. */
const timeOfDay = (): string => new Date().toISOString();

const eventWords = ({ kind, detail }: MeterEvent): string => `${kind}: ${detail}`;

function sampleLine(channel: string, { powerW }: Sample, source: Source): string {
  return `${timeOfDay()}  ${channel}  ${watts(powerW)}${source === 'measured' ? '' : `  ${source}`}`;
}

/** Nanoseconds as a plain number: JSON sets no limit to its digits. */
function sampleJson(channel: string, { tNs, powerW, durationS }: Sample, source: Source): string {
  return `{"t_ns":${tNs},${JSON.stringify({ channel, power_w: powerW, duration_s: durationS, source }).slice(1)}`;
}

function eventJson({ tNs, kind, detail }: MeterEvent): string {
  return `{"t_ns":${tNs},${JSON.stringify({ event: kind, detail }).slice(1)}`;
}

const REDRAW_MS = 100;

/** One block that is drawn again with the readings, ten times a second at most. */
export function screenWatch(screen: Streams['stdout'], infos: readonly MeterInfo[]): Watch {
  const channels = infos.flatMap((info) => info.channels).map((info) => new LiveChannel(info));
  const events = new LiveEvents();
  const startMs = performance.now();
  let height = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = (ended = false) => {
    timer = undefined;
    const elapsedS = (performance.now() - startMs) / 1000;
    const lines = liveBlock({ infos, channels, events, elapsedS, ended }, screen.columns ?? 80);
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
