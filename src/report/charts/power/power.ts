import type { ChartConfiguration, ChartDataset } from 'chart.js';
import type { RunResult } from '../../../analysis/results.ts';
import type { Findings } from '../../../findings/findings.ts';
import { median } from '../../../stats/quantiles.ts';
import { quantity } from '../../../text/numbers.ts';
import { plain } from '../../../text/plain.ts';
import { resolveBand, type WithBands } from '../../data/bands.ts';
import { primaryComparisons } from '../../verdict.ts';
import { fontOf } from '../canvas/font.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { type Axis, axisAround, axisTo, computeExtent, linearScale, startNote } from '../parts/axis.ts';
import { frameText, isNarrow, makeFrame } from '../parts/frame.ts';
import { type Panel, panelAxes, panelAxis } from '../parts/panels.ts';
import { points } from '../parts/points.ts';
import { type ChosenVariant, chosenVariants, notDrawn } from '../parts/variant-runs.ts';
import { groupMix, mixCaption, mixRoom, mixRows, mixText } from './group-mix.ts';
import { lineLabels, lineLegendRoom, type PowerSeries, panelLabels } from './labels.ts';
import { phaseSpans, phaseStrip, STRIP_ROOM } from './phase-strip.ts';
import { USE_ROOM, USE_SOURCE, usePanel } from './use-panel.ts';

/** Maximum variants in one panel; with more, each has its own, with the line of its baseline. */
const MAX_TOGETHER = 3;
const PANEL = 84;
/** Height above the curves of a panel for its name, on narrow screens, pixels. */
const NAME_ROOM = 22;
/** Height of the processor use beneath such a panel, pixels. */
const USE_STRIP = 44;
const HEIGHT = 300;

/** Power over the time since a run's start: median and 10–90 % band by variant. `null` when there are no readings to draw. */
export function powerChart(analysis: WithBands, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const { variants, note } = chosenVariants(analysis);
  const series = seriesOf(analysis, variants);
  if (series.length === 0) return null;
  const apart = series.length > MAX_TOGETHER;
  const baseline = series.find((s) => s.name === findings.experiment.baseline) ?? null;
  const ghosts = apart ? comparedIn(series, findings) : [];
  const timed = baseline ?? series[0]!;
  const spans = apart ? [] : phaseSpans(comparedRuns(analysis, timed.name));
  const values = series.flatMap((s) => [...s.band.lowW, ...s.band.highW]).filter(Number.isFinite);
  const [low, high] = computeExtent(values);
  const narrow = isNarrow(theme);
  const axis = apart ? panelAxis(low, high, PANEL) : axisAround(low, high, 5);
  const panelHeight = PANEL + (narrow ? NAME_ROOM : 0);
  const shares = series.flatMap(({ band }) => band.use);
  const use = usePanel(shares, apart ? USE_STRIP : USE_ROOM);
  const left = notDrawn(variants, series, 'no readings inside a run');
  const single = series.every((s) => runCount(analysis, s.name) === 1);
  const mix = apart
    ? null
    : groupMix(
        findings,
        series.map(({ name, label, band }) => ({
          name,
          label,
          phases: phaseSpans(comparedRuns(analysis, name)),
          durationS: band.medianDurationS,
        })),
      );
  const caption =
    (single
      ? 'Line: the readings of the only run that lie wholly inside it, on a common grid. '
      : 'Line: median of the runs; band: 10 % to 90 % of them; readings that lie wholly inside a run, on a common grid from the ' +
        'start to the median duration of the variant. ') +
    `${use === null ? '' : `Below the power: ${USE_SOURCE}${single ? '' : '; median of the runs'}. `}` +
    `${spans.length > 0 ? `Strip: phases of ${plain(timed.name, 40)}, by the medians of their beginnings and ends. ` : ''}` +
    `${mix === null ? '' : mixCaption(findings)}` +
    `${ghostCaption(ghosts)}${note}${left}${startNote(axis, 'power axis')}`;
  const frame = makeFrame(frameText(findings, 'power over time', caption), theme);
  const end = Math.max(...series.map((s) => s.band.medianDurationS));
  const labels = Math.max(...series.map((s) => fontOf('bold').width(s.label, SIZE.text)));
  const powers: Panel[] = apart
    ? series.map((_, i) => ({
        id: `y${i}`,
        height: panelHeight,
        axis: higherTo(axis, panelHeight / PANEL),
        title: 'W',
      }))
    : [{ id: 'y', height: HEIGHT - 40, axis, title: 'Power (W)' }];
  const panels = powers.flatMap((panel, i) => [panel, ...(use === null ? [] : [{ ...use, id: `u${apart ? i : ''}` }])]);
  const height = 40 + panels.reduce((sum, panel) => sum + panel.height, 0);
  const above = (narrow && !apart ? lineLegendRoom(series) : 0) + (spans.length > 0 ? STRIP_ROOM : 0);
  const datasets = series.flatMap((s, i) => [
    ...ghosts.flatMap(({ of, by }) => (of === s ? [ghost(by, `y${i}`, theme)] : [])),
    ...bandDatasets(s, apart ? `${i}` : ''),
  ]);
  const below = mix === null ? 0 : mixRoom(mix, frame.spec.width);
  const config: ChartConfiguration<'line'> = {
    type: 'line',
    data: { datasets },
    options: {
      parsing: false,
      layout: {
        padding: { top: frame.top + above, bottom: frame.bottom + below, left: 12, right: narrow ? 14 : labels + 58 },
      },
      elements: { point: { radius: 0 }, line: { borderWidth: 2, tension: 0 } },
      scales: {
        x: linearScale(axisTo(end), 'Time since the start of the run (s)', theme),
        ...(panels.length === 1 ? { y: linearScale(axis, 'Power (W)', theme) } : panelAxes(panels, theme)),
      },
    },
    plugins: [
      frame.plugin,
      ...(spans.length > 0 ? [phaseStrip(spans, theme)] : []),
      ...(mix === null ? [] : [mixRows(mix, theme)]),
      apart ? panelLabels(series, theme) : lineLabels(series, theme),
    ],
  };
  return {
    id: 'power-over-time',
    ...frame.spec,
    description: [series.map((s) => `${s.label}: ${s.note}`).join('; '), ...(mix === null ? [] : [mixText(mix)])].join(
      '. ',
    ),
    height: frame.top + above + below + frame.bottom + height,
    config: config as ChartConfiguration,
  };
}

/** A drawn variant, and its baseline, which is drawn too. */
interface ComparedSeries {
  readonly of: PowerSeries;
  readonly by: PowerSeries;
}

function comparedIn(series: readonly PowerSeries[], findings: Findings): ComparedSeries[] {
  const comparisons = primaryComparisons(findings);
  return series.flatMap((of) => {
    const baseline = comparisons.find((c) => c.variant === of.name)?.baseline;
    const by = series.find((s) => s.name === baseline);
    return by === undefined ? [] : [{ of, by }];
  });
}

function ghostCaption(ghosts: readonly ComparedSeries[]): string {
  const [only, ...others] = new Set(ghosts.map(({ by }) => by.name));
  if (only === undefined) return '';
  return `Dotted gray: median of ${others.length > 0 ? 'what it is compared with' : plain(only, 40)}. `;
}

function runCount({ runs }: WithBands, variant: string): number {
  return new Set(runs.filter((r) => r.variant === variant && r.status === 'ok').map((r) => r.run)).size;
}

/** Runs on the primary channel, the only one with phases. */
function comparedRuns({ runs }: WithBands, variant: string): RunResult[] {
  return runs.filter((r) => r.variant === variant && r.status === 'ok' && r.phases !== undefined);
}

function seriesOf(analysis: WithBands, variants: readonly ChosenVariant[]): PowerSeries[] {
  return variants.flatMap(({ name, label, style }) => {
    const band = resolveBand(analysis, name);
    if (band === null) return [];
    const typical = median(band.medianW.filter(Number.isFinite));
    const note = `about ${quantity(typical, 'W', 3)} for ${quantity(band.medianDurationS, 's', 3)}${useNote(band.use)}`;
    return [{ name, label, note, style, band }];
  });
}

function useNote(use: readonly number[]): string {
  const shares = use.filter(Number.isFinite);
  return shares.length === 0 ? '' : `, processors ${Math.round(median(shares))} % in use`;
}

/** `panel`: what the names of its axes end with. */
function bandDatasets({ band, style, label }: PowerSeries, panel: string): ChartDataset<'line'>[] {
  const yAxisID = `y${panel}`;
  const line = { label, fill: false, borderColor: style.color, borderDash: [...style.dash], order: 1 };
  // The areas of several variants in one panel would hide each other.
  const area = panel === '' ? {} : { fill: 'origin', backgroundColor: `${style.color}38` };
  const edge = { yAxisID, borderWidth: 0, borderColor: 'transparent', pointRadius: 0, order: 2 };
  return [
    { ...edge, data: points(band.tS, band.lowW), fill: false, showLine: false },
    { ...edge, data: points(band.tS, band.highW), fill: '-1', backgroundColor: `${style.color}38` },
    { ...line, yAxisID, data: points(band.tS, band.medianW) },
    ...(band.use.length === 0 ? [] : [{ ...line, ...area, yAxisID: `u${panel}`, data: points(band.tS, band.use) }]),
  ];
}

function ghost({ band }: PowerSeries, yAxisID: string, theme: Theme): ChartDataset<'line'> {
  return {
    yAxisID,
    data: points(band.tS, band.medianW),
    fill: false,
    borderColor: theme.muted,
    borderWidth: 1.2,
    borderDash: [1.5, 2.5],
    order: 0,
  };
}

/** The axis with the same ticks, extended upwards. */
function higherTo(axis: Axis, factor: number): Axis {
  return { ...axis, max: axis.min + factor * (axis.max - axis.min) };
}
