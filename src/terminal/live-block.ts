import type { MeterInfo } from '../meters/meter.ts';
import type { LiveChannel, LiveEvents } from '../meters/tools/live.ts';
import { visible } from '../text/plain.ts';
import { durationText } from './duration.ts';

export interface LiveBlock {
  readonly infos: readonly MeterInfo[];
  readonly channels: readonly LiveChannel[];
  readonly events: LiveEvents;
  readonly elapsedS: number;
  readonly ended: boolean;
}

/** The lines of `meter watch` on a terminal that is so wide; each fits into a line. */
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

/** Watts with the digits that meters have. */
export function watts(powerW: number): string {
  return `${powerW.toFixed(Math.abs(powerW) < 10 ? 2 : 1)} W`;
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * The last `width` values as a line of bars between the least and the largest of them. Differences below `leastRange` are not
 * blown up to the full height.
 */
export function sparkline(values: readonly number[], width: number, leastRange: number): string {
  const shown = width > 0 ? values.slice(-width) : [];
  const least = Math.min(...shown);
  const range = Math.max(Math.max(...shown) - least, leastRange);
  return shown.map((value) => BARS[range > 0 ? Math.min(7, Math.floor(((value - least) / range) * 8)) : 0]).join('');
}
