import type { Chart, ChartConfiguration, Plugin } from 'chart.js';
import type { Analysis } from '../../../analysis/results.ts';
import type { Summary } from '../../../findings/numbers.ts';
import { quantity } from '../../../text/numbers.ts';
import { plain, plural } from '../../../text/plain.ts';
import { unitOfWork } from '../../per-execution.ts';
import { wrapToWidth } from '../canvas/font.ts';
import { drawLines } from '../canvas/pen.ts';
import { type SeriesStyle, SIZE, seriesStyle, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { axisAround, extentOf, linearScale, startNote } from '../parts/axis.ts';
import { chartWidth, frameText, isNarrow, makeFrame } from '../parts/frame.ts';
import { markerRadius, pointsDataset } from '../parts/points.ts';
import { type SideLabel, sideLabels, sideLabelsHeight, sideLabelsRoom } from '../parts/side-labels.ts';
import { type Combinations, factorCombinations } from './combinations.ts';

const MAX_LINES = 8;
const MAX_ACROSS = 12;
/** Parts of the room between two levels by which the lines stand beside each other, so that no interval hides another. */
const APART = 0.05;
/** Left and right of the first and last level, in levels. */
const MARGIN = 0.35;
const POINT = 4.5;
const CAP = 5;
const LONGEST_LEVEL = 40;

interface Line {
  readonly label: string;
  readonly style: SeriesStyle;
  readonly points: readonly { readonly x: number; readonly energy: Summary }[];
}

/** The energy of a matrix's variants over the levels of one factor, a line for each level of another. `null` where there is no matrix of two factors. */
export function factorsChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const found = factorCombinations(analysis);
  if (found === null) return null;
  const across = found.across.levels.slice(0, MAX_ACROSS);
  const lines = linesOf(found, across.length);
  const drawn = lines.flatMap(({ points }) => points.map(({ energy }) => energy));
  if (drawn.length === 0) return null;
  const y = axisAround(...extentOf(drawn.flatMap(({ mean, mean_ci95: ci95 }) => [mean, ...(ci95 ?? [])])));
  const frame = makeFrame(frameText(findings, whatOf(found), captionOf(found) + startNote(y, 'energy axis')), theme);
  const labels = lines.map(({ label, style, points }): SideLabel => {
    const last = points.at(-1)?.energy.mean ?? 0;
    return { label, detail: '', style, at: last };
  });
  const labelsRoom = sideLabelsRoom(labels, theme);
  const slot = (chartWidth(theme) - labelsRoom.right - 90) / across.length;
  const config: ChartConfiguration<'scatter'> = {
    type: 'scatter',
    data: {
      datasets: lines.map(({ points, style }) => ({
        ...pointsDataset(
          points.map(({ x, energy }) => ({ x, y: energy.mean })),
          style,
          theme,
          'full',
        ),
        pointRadius: markerRadius(style, POINT),
      })),
    },
    options: {
      layout: {
        padding: { top: frame.top + labelsRoom.top, bottom: frame.bottom, left: 12, right: labelsRoom.right },
      },
      scales: {
        x: levelScale(found.across.name, across, slot, theme),
        y: linearScale(y, isNarrow(theme) ? 'Mean energy (J)' : `Mean energy per ${unitOfWork(findings)} (J)`, theme),
      },
    },
    plugins: [frame.plugin, linesAndIntervals(lines), sideLabels(labels, theme)],
  };
  const wrapped = Math.max(...across.map((level) => wordsOf(level, slot).length));
  return {
    id: 'energy-by-factors',
    ...frame.spec,
    description: lines
      .map(
        ({ label, points }) =>
          `${label}: ${points.map(({ x, energy }) => `${across[Math.round(x)]} ${quantity(energy.mean, 'J')}`).join(', ')}`,
      )
      .join('; '),
    height:
      frame.top + labelsRoom.top + frame.bottom + Math.max(260, sideLabelsHeight(labels)) + 46 + 13 * (wrapped - 1),
    config: config as ChartConfiguration,
  };
}

const whatOf = ({ across, lines }: Combinations): string =>
  `energy by ${plain(across.name, LONGEST_LEVEL)} and ${plain(lines.name, LONGEST_LEVEL)}`;

function captionOf({ across, lines, averaged, others, blocks, energies }: Combinations): string {
  const first = plain(across.name, LONGEST_LEVEL);
  const second = plain(lines.name, LONGEST_LEVEL);
  const left = [
    across.levels.length > MAX_ACROSS ? `${MAX_ACROSS} of ${across.levels.length} levels of ${first}` : '',
    lines.levels.length > MAX_LINES ? `${MAX_LINES} of ${lines.levels.length} levels of ${second}` : '',
  ].filter(Boolean);
  return (
    `Point: mean energy of ${plural(blocks, 'complete block')} with its 95 % interval; a line for each level of ${second}. Parallel lines: ${first} does the same in all of them. ` +
    'The intervals hold what differs from block to block, too; effects are judged within the blocks. ' +
    (averaged === 0 ? '' : `Averaged over ${plural(averaged, 'combination')} of the other factors. `) +
    (others > 0 ? `Of ${others + 1} pairs of factors, the one whose interaction stands out most. ` : '') +
    (energies.flat().includes(null) ? 'Lines have a gap where a combination is excluded. ' : '') +
    (left.length === 0 ? '' : `The first ${left.join(' and ')} are drawn. `)
  );
}

function linesOf({ lines, energies }: Combinations, across: number): Line[] {
  const levels = lines.levels.slice(0, MAX_LINES);
  return levels.flatMap((level, j): Line[] => {
    const beside = (j - (levels.length - 1) / 2) * APART;
    const points = energies.slice(0, across).flatMap((row, i) => {
      const energy = row[j] ?? null;
      return energy === null ? [] : [{ x: i + beside, energy }];
    });
    return points.length === 0 ? [] : [{ label: plain(level, LONGEST_LEVEL), style: seriesStyle(j), points }];
  });
}

const wordsOf = (level: string, slot: number): string[] =>
  wrapToWidth(plain(level, LONGEST_LEVEL), slot - 6, SIZE.small, 'regular');

/** The names of the levels in the place of numbers. */
function levelScale(name: string, levels: readonly string[], slot: number, theme: Theme) {
  const ticks = levels.map((_, i) => i);
  const scale = linearScale(
    { min: -MARGIN, max: levels.length - 1 + MARGIN, ticks, decimals: 0 },
    plain(name, LONGEST_LEVEL),
    theme,
  );
  const nameOf = (value: string | number) => wordsOf(levels[Number(value)] ?? '', slot);
  return { ...scale, ticks: { ...scale.ticks, callback: nameOf } } as typeof scale;
}

function linesAndIntervals(lines: readonly Line[]): Plugin {
  return {
    id: 'factor-lines',
    beforeDatasetsDraw: ({ ctx, scales }: Chart) => {
      const placeOf = (x: number, joules: number) =>
        [scales.x!.getPixelForValue(x), scales.y!.getPixelForValue(joules)] as const;
      for (const { points, style } of lines) {
        // Across a level that is missing there is nothing to be said.
        const steps = points.slice(1).flatMap((to, i) => {
          const from = points[i]!;
          return Math.round(to.x) - Math.round(from.x) > 1 ? [] : [[from, to]];
        });
        const ways = steps.map((step) => step.map(({ x, energy }) => placeOf(x, energy.mean)));
        drawLines(ctx, ways, { colour: style.colour, width: 1.6, dash: style.dash });
        for (const { x, energy } of points) {
          if (energy.mean_ci95 === null) continue;
          const [low, high] = energy.mean_ci95.map((end) => placeOf(x, end)) as [
            readonly [number, number],
            readonly [number, number],
          ];
          // Its ends would only deform the point.
          if (low[1] - high[1] < 2.5 * POINT) continue;
          const cap = ([at, height]: readonly [number, number]) => [
            [at - CAP, height] as const,
            [at + CAP, height] as const,
          ];
          drawLines(ctx, [[low, high], cap(low), cap(high)], { colour: style.colour, width: 2 });
        }
      }
    },
  };
}
