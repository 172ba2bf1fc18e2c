import type { Chart, ChartConfiguration, ChartOptions, Plugin } from 'chart.js';
import { emulatedVariants } from '../../../findings/emulated.ts';
import type { Findings } from '../../../findings/findings.ts';
import { plain } from '../../../text/plain.ts';
import { blocksText, isImported, meterText, provenance } from '../../words/provenance.ts';
import { fontOf, shortenToWidth, wrapToWidth } from '../canvas/font.ts';
import { fontCss, SIZE, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';

export interface FrameText {
  readonly title: string;
  /** Subject of the chart, without the experiment's name. */
  readonly what: string;
  readonly subtitle: string;
  /** Warning above the subtitle, in its own color: these numbers were not measured. */
  readonly warning: string | null;
  /** Explanation for readers of the chart. */
  readonly caption: string;
}

export interface Frame {
  /** Height of the frame above and below the chart, pixels. */
  readonly top: number;
  readonly bottom: number;
  readonly plugin: Plugin;
  /** Title and width of the whole picture. */
  readonly spec: Pick<ChartSpec, 'title' | 'width'>;
}

const MARGIN = 16;
const LINE = 16;

const WIDTH = 760;
/** Width below which there is no room for text beside a plot, pixels. */
const NARROW = 560;

/** Width of a chart's picture in pixels. */
export function chartWidth(theme: Theme): number {
  return theme.width ?? WIDTH;
}

/** Whether the picture is as narrow as on a phone: text then belongs above, below or inside the plot. */
export function isNarrow(theme: Theme): boolean {
  return chartWidth(theme) < NARROW;
}

interface FramePlugin extends Plugin {
  readonly text: FrameText;
}

/** Texts of a chart, for a page that shows them itself. */
export function getFrameText({ config }: ChartSpec): FrameText | null {
  const frame = config.plugins?.find((plugin) => plugin.id === 'frame') as FramePlugin | undefined;
  return frame?.text ?? null;
}

/** Title, provenance and caption around a chart, at the same places for every chart. */
export function makeFrame(text: FrameText, theme: Theme, width = chartWidth(theme)): Frame {
  const spec = { title: text.title, width };
  if (theme.bare) return { top: MARGIN / 2, bottom: 0, plugin: { id: 'frame', text } as FramePlugin, spec };
  const room = width - 2 * MARGIN;
  const title = titleFor(text, room);
  const warning = text.warning === null ? [] : wrapToWidth(text.warning, room, SIZE.text, 'bold');
  const subtitle = wrapToWidth(text.subtitle, room, SIZE.small, 'regular');
  const caption = wrapToWidth(text.caption, room, SIZE.small, 'regular');
  const bottom = LINE * caption.length + 14;

  const draw = (chart: Chart): void => {
    const { ctx } = chart;
    ctx.save();
    ctx.textAlign = 'left';
    ctx.textBaseline = 'alphabetic';
    let y = MARGIN + SIZE.title - 2;
    const line = (content: string, font: string, color: string): void => {
      ctx.font = font;
      ctx.fillStyle = color;
      ctx.fillText(content, MARGIN, y);
      y += LINE;
    };
    line(title, fontCss(SIZE.title, 'bold'), theme.ink);
    y += 2;
    for (const l of warning) line(l, fontCss(SIZE.text, 'bold'), theme.warning);
    for (const l of subtitle) line(l, fontCss(SIZE.small), theme.muted);
    y = chart.height - bottom + SIZE.small + 4;
    for (const l of caption) line(l, fontCss(SIZE.small), theme.muted);
    ctx.restore();
  };
  return {
    top: MARGIN + SIZE.title + LINE * (warning.length + subtitle.length) + 16,
    bottom,
    plugin: { id: 'frame', text, afterDraw: draw } as FramePlugin,
    spec,
  };
}

/** A picture of points: what it says, and what it draws inside its frame. */
export interface PointsPicture {
  readonly id: string;
  readonly text: FrameText;
  readonly description: string;
  readonly datasets: ChartConfiguration<'scatter'>['data']['datasets'];
  readonly scales: ChartOptions<'scatter'>['scales'];
  /** Room around the plot, pixels. */
  readonly room: { readonly top?: number; readonly left: number; readonly right: number };
  /** Height of the plot, pixels. */
  readonly height: number;
  readonly plugins: readonly Plugin[];
  readonly width?: number;
}

/** Height of the x axis with its title, pixels. */
const X_AXIS = 46;

/** A picture of points in its frame. */
export function pointsChart(picture: PointsPicture, theme: Theme): ChartSpec {
  const { id, text, description, datasets, scales, room, height, plugins, width } = picture;
  const { top, bottom, plugin, spec } = makeFrame(text, theme, width);
  const { top: above = 0, ...beside } = room;
  const config: ChartConfiguration<'scatter'> = {
    type: 'scatter',
    data: { datasets },
    options: { layout: { padding: { top: top + above, bottom, ...beside } }, scales },
    plugins: [plugin, ...plugins],
  };
  return {
    id,
    ...spec,
    description,
    height: top + above + bottom + height + X_AXIS,
    config: config as ChartConfiguration,
  };
}

/** Title in which a long name of the experiment is shortened, but not the chart's subject. */
function titleFor({ title, what }: FrameText, room: number): string {
  const end = `: ${what}`;
  if (!title.endsWith(end)) return shortenToWidth(title, room, SIZE.title, 'bold');
  const left = room - fontOf('bold').width(end, SIZE.title);
  return `${shortenToWidth(title.slice(0, -end.length), left, SIZE.title, 'bold')}${end}`;
}

/** Source of a chart's numbers: the meter; the host's clock; the kernel; the workload. Only those of a meter may be modelled or emulated. */
type Reader = 'meter' | 'clock' | 'kernel' | 'workload';

/** Title and provenance of a chart of these findings. */
export function frameText(findings: Findings, what: string, caption: string, reader: Reader = 'meter'): FrameText {
  const { tag, short } = provenance(findings);
  // An imported file does not name the source of its numbers.
  const isOfMeter = reader === 'meter' || findings.meter.source === 'unknown';
  const byMeter = findings.meter.source === 'measured' && !isImported(findings) ? 'Measured by' : 'Meter:';
  const sources: Record<Reader, string> = {
    meter: `${byMeter} ${meterText(findings)}`,
    clock: 'Measured by the clock of the host',
    kernel: 'Counted by the kernel of the host',
    workload: 'Printed by the workload',
  };
  const { seed, complete } = findings.experiment;
  return {
    title: `${plain(findings.experiment.name, 200)}: ${what}`,
    what,
    warning: formatWarning(findings, tag === null || !isOfMeter ? null : short),
    subtitle: [
      isOfMeter ? sources.meter : sources[reader],
      `${blocksText(findings)}${complete ? '' : ' (partial experiment)'}`,
      ...(seed === null ? [] : [`seed ${seed}`]),
    ].join(' · '),
    caption: caption.trimEnd(),
  };
}

/** Warning about numbers that no instrument measured, or that belong to an emulated processor, whatever their source. */
function formatWarning(findings: Findings, source: string | null): string | null {
  const emulated = emulatedVariants(findings);
  const words = [
    source,
    emulated.length === 0
      ? null
      : `emulated processors (${plain(emulated.join(', '), 60)}) say nothing about virtual machines`,
  ].filter((one) => one !== null);
  const [first = '', ...more] = words;
  return words.length === 0 ? null : [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...more].join(' · ');
}
