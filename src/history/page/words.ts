import { htmlText } from '../../report/escape.ts';
import { plain } from '../../text/plain.ts';
import type { TrendSeries } from '../trend.ts';

/** What tells one place from another, and what its numbers are. */

export function machineText({ machine }: TrendSeries): string {
  const { hostname, model, cpu, cpus, virtualization } = machine;
  const virtual = virtualization === null || virtualization === 'none' ? null : `virtual: ${virtualization}`;
  const parts = [model, cpu, `${cpus} logical CPUs`, virtual].filter((part) => part !== null);
  return `${plain(hostname, 60)} (${parts.map((part) => plain(part, 100)).join(', ')})`;
}

export function meterText({ meter }: TrendSeries): string {
  const at = meter.address === null ? '' : ` at ${plain(meter.address, 120)}`;
  return `${plain(meter.type, 60)}${at}, channel ${plain(meter.channel, 40)}`;
}

/** Null only for an instrument. */
export function sourceWarning({ meter }: TrendSeries): string | null {
  if (meter.source === 'measured') return null;
  return meter.source === 'modelled'
    ? `These numbers are estimated by a model (${plain(meter.type, 40)}), not measured. Do not quote them as energy use.`
    : `These numbers come from an emulated meter (${plain(meter.type, 40)}). They say nothing about energy use.`;
}

/** So many have room on any screen. */
const FEW = 50;

export function captionHtml(series: TrendSeries): string {
  const rebuilt = series.lines.some((line) => line.rebuilt.length > 0)
    ? ' Triangles: an image was rebuilt under its tag.'
    : '';
  const grouped =
    series.startedAt.length > FEW
      ? ' Where there are more experiments than room, a point is the mean of several that lie side by side, and its line reaches from their lowest interval to their highest.'
      : '';
  return htmlText(
    `Each point is the mean of an experiment, with its 95 % interval.${grouped} Long lines: medians of the levels; upright and dashed: steps found, the shade as wide as their series is uncertain.${rebuilt} The axis does not start at 0.`,
    2000,
  );
}
