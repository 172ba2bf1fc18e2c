import type { Chart, Plugin } from 'chart.js';
import { emulatedVariants } from '../../../findings/emulated.ts';
import type { Findings } from '../../../findings/findings.ts';
import { plain } from '../../../text/plain.ts';
import { blocksText, meterText, provenance } from '../../words/provenance.ts';
import { fontOf, shortenToWidth, wrapToWidth } from '../canvas/font.ts';
import { fontCss, SIZE, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';

export interface FrameText {
  readonly title: string;
  /** What the chart shows, without the experiment's name. */
  readonly what: string;
  readonly subtitle: string;
  /** Said in the subtitle's place in a colour of its own, above the subtitle: these numbers are no measurement. */
  readonly warning: string | null;
  /** How to read the picture. */
  readonly caption: string;
}

export interface Frame {
  /** Pixels that the frame needs above and below the chart. */
  readonly top: number;
  readonly bottom: number;
  readonly plugin: Plugin;
  /** The picture's own title, and its width in pixels. */
  readonly spec: Pick<ChartSpec, 'title' | 'width'>;
}

const MARGIN = 16;
const LINE = 16;

const WIDTH = 760;
/** Below this there is no room for words at the sides of a plot. */
const NARROW = 560;

/** Width of a chart's picture in pixels. */
export function chartWidth(theme: Theme): number {
  return theme.width ?? WIDTH;
}

/** As on a phone: words belong above, below or inside the plot. */
export function isNarrow(theme: Theme): boolean {
  return chartWidth(theme) < NARROW;
}

interface FramePlugin extends Plugin {
  readonly text: FrameText;
}

/** The words around a chart, for a page that sets them itself. */
export function frameTextOf({ config }: ChartSpec): FrameText | null {
  const frame = config.plugins?.find((plugin) => plugin.id === 'frame') as FramePlugin | undefined;
  return frame?.text ?? null;
}

/** Title, provenance and caption around a chart: every chart has the same, at the same places. */
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
    const line = (content: string, font: string, colour: string): void => {
      ctx.font = font;
      ctx.fillStyle = colour;
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

/** A long name of an experiment is shortened, and never what the chart shows. */
function titleFor({ title, what }: FrameText, room: number): string {
  const end = `: ${what}`;
  if (!title.endsWith(end)) return shortenToWidth(title, room, SIZE.title, 'bold');
  const left = room - fontOf('bold').width(end, SIZE.title);
  return `${shortenToWidth(title.slice(0, -end.length), left, SIZE.title, 'bold')}${end}`;
}

/** Who read the numbers of a chart: the meter; the host's clock; the kernel; the workload itself. Those of the meter alone may be modelled or emulated. */
type Reader = 'meter' | 'clock' | 'kernel' | 'workload';

/** Title and provenance of a chart of these findings. */
export function frameText(findings: Findings, what: string, caption: string, reader: Reader = 'meter'): FrameText {
  const { tag, short } = provenance(findings);
  // A file does not say who read its numbers.
  const isOfMeter = reader === 'meter' || findings.meter.source === 'unknown';
  const byMeter = findings.meter.source === 'measured' ? 'Measured by' : 'Meter:';
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
    warning: warningOf(findings, tag === null || !isOfMeter ? null : short),
    subtitle: [
      isOfMeter ? sources.meter : sources[reader],
      `${blocksText(findings)}${complete ? '' : ' (partial experiment)'}`,
      ...(seed === null ? [] : [`seed ${seed}`]),
    ].join(' · '),
    caption: caption.trimEnd(),
  };
}

/** Where the numbers come from, if not from an instrument; whoever read them, those of an emulated processor are the emulation's. */
function warningOf(findings: Findings, source: string | null): string | null {
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
