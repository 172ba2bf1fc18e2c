import type { ChartConfiguration } from 'chart.js';
import type { Analysis, RunResult } from '../../../analysis/results.ts';
import { median } from '../../../stats/quantiles.ts';
import { quantity } from '../../../text/numbers.ts';
import { plain } from '../../../text/plain.ts';
import type { Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { axisAround, extentOf } from '../parts/axis.ts';
import { chartWidth, frameText, makeFrame } from '../parts/frame.ts';
import { pointsDataset, thin, thinnedNote } from '../parts/points.ts';
import { rings } from '../parts/rings.ts';
import { linearScale } from '../parts/scale.ts';
import { type SideLabel, sideLabels, sideLabelsHeight, sideLabelsRoom } from '../parts/side-labels.ts';
import { type VariantRuns, variantRuns } from '../parts/variant-runs.ts';
import { isoPower, isoPowerLines, isoPowerWidth } from './iso-power.ts';

const MOST_VARIANTS = 12;
/** Points of a variant. */
const MOST_POINTS = 500;

type Timed = RunResult & { readonly durationS: number; readonly energyJ: number };

interface Cloud extends VariantRuns {
  readonly all: number;
  readonly timed: readonly Timed[];
}

/** Energy against duration of every compared run, with lines of equal mean power. `null` when no run has both. */
export function energyTimeChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const { variants, note } = variantRuns(analysis, MOST_VARIANTS);
  const clouds = variants.map(cloudOf).filter((c) => c.timed.length > 0);
  if (clouds.length === 0) return null;
  const points = clouds.flatMap((c) => c.timed);
  const x = axisAround(...extentOf(points.map((r) => r.durationS)));
  const y = axisAround(...extentOf(points.map((r) => r.energyJ)));
  const lines = isoPowerLines(x, y, extentOf(points.map((r) => r.energyJ / r.durationS)));
  const flagged = clouds.flatMap((c) => c.timed.filter((r) => c.flagged.has(r.run)));
  const all = clouds.reduce((total, c) => total + c.all, 0);
  const caption =
    `Each point is a run; right: the median of their mean powers. ${lines.length > 0 ? 'Dotted lines: equal mean power, so that a run above another’s line drew more. ' : ''}` +
    `${flagged.length > 0 ? 'Ringed: far from the variant’s other runs, and compared like them. ' : ''}` +
    `${thinnedNote(points.length, all, 'runs', flagged.length > 0 ? ', and those ringed' : '')}${note}The axes do not start at 0.`;
  const frame = makeFrame(frameText(findings, 'energy against duration', caption), chartWidth(theme), theme);
  const labels = clouds.map(labelOf);
  const powers = isoPowerWidth(lines);
  const labelsRoom = sideLabelsRoom(labels, theme);

  const config: ChartConfiguration<'scatter'> = {
    type: 'scatter',
    data: {
      datasets: clouds.map((c) =>
        pointsDataset(
          c.timed.map((r) => ({ x: r.durationS, y: r.energyJ, run: r.run })),
          c.style,
          theme,
        ),
      ),
    },
    options: {
      layout: {
        padding: {
          top: frame.top + 16 + labelsRoom.top,
          bottom: frame.bottom,
          left: 12,
          right: labelsRoom.right + powers,
        },
      },
      scales: {
        x: linearScale(x, 'Duration of the run (s)', theme),
        y: linearScale(y, 'Energy of the run (J)', theme),
      },
    },
    plugins: [
      frame.plugin,
      isoPower(lines, theme),
      sideLabels(labels, theme, powers),
      rings(
        flagged.map((r) => ({ x: r.durationS, y: r.energyJ, text: `run ${r.run}` })),
        theme,
      ),
    ],
  };
  return {
    id: 'energy-against-time',
    title: `${plain(findings.experiment.name, 200)}: energy against duration`,
    description: clouds.map((c, i) => `${c.label}: ${labels[i]!.detail}, ${c.all} runs`).join('; '),
    width: chartWidth(theme),
    height: frame.top + 16 + labelsRoom.top + frame.bottom + Math.max(320, sideLabelsHeight(labels)) + 46,
    config: config as ChartConfiguration,
  };
}

function cloudOf(variant: VariantRuns): Cloud {
  const timed = variant.runs.filter(
    (r): r is Timed => r.status === 'ok' && r.energyJ !== null && r.durationS !== null && r.durationS > 0,
  );
  return { ...variant, all: timed.length, timed: thin(timed, MOST_POINTS, (r) => variant.flagged.has(r.run)) };
}

/** At the height of the middle run, with its mean power. */
function labelOf({ label, style, timed, all }: Cloud): SideLabel {
  const powerW = median(timed.map((r) => r.energyJ / r.durationS));
  return { label, detail: `${quantity(powerW, 'W')}, n = ${all}`, style, at: median(timed.map((r) => r.energyJ)) };
}
