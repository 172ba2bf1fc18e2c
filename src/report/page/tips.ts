import type { Chart, TooltipItem } from 'chart.js';
import type { RunResult } from '../../analysis/results.ts';
import { quantity, significant } from '../../text/numbers.ts';
import { plain, plural } from '../../text/plain.ts';
import type { PageAnalysis } from '../data/page-data.ts';
import { primaryChannel } from '../verdict.ts';
import { blockWords, runReasonText } from '../words/run-reason.ts';

/** Optional data of a chart's point beside its position: the run that it represents, or its own text. */
export interface KnownPoint {
  readonly x: number;
  readonly y: number;
  readonly run?: number;
  /** Number of readings in a hexagon. */
  readonly count?: number;
  readonly tip?: string | readonly string[];
}

/** Runs by number, of the primary channel. */
export function runsByNumber({ findings, runs }: PageAnalysis): Map<number, RunResult> {
  const channel = primaryChannel(findings);
  return new Map(runs.filter((r) => channel === null || r.channel === channel).map((r) => [r.run, r]));
}

/** Lines about a point of a chart. */
export function tipLines(
  chart: Chart,
  item: Pick<TooltipItem<never>, 'raw' | 'datasetIndex'>,
  runs: Map<number, RunResult>,
): string[] {
  const point = item.raw as KnownPoint;
  if (point.tip !== undefined) return typeof point.tip === 'string' ? [point.tip] : [...point.tip];
  const run = point.run === undefined ? undefined : runs.get(point.run);
  if (run !== undefined) return runLines(run);
  const label = chart.data.datasets[item.datasetIndex]?.label;
  const axis = (name: string, value: number): string => {
    const scale = chart.options.scales?.[name] as { title?: { text?: string }; unitSize?: number } | undefined;
    // An axis title `Power (W)` gives `Power: 20.1 W` for a point.
    const [, words = name, unit = ''] = /^(.*?)(?: \(([^()]+)\))?$/.exec(scale?.title?.text ?? name) ?? [];
    return `${words}: ${significant(value / (scale?.unitSize ?? 1), 4)}${unit === '' ? '' : ` ${unit}`}`;
  };
  const yAxis = (chart.data.datasets[item.datasetIndex] as { yAxisID?: string } | undefined)?.yAxisID ?? 'y';
  const head = point.count === undefined ? label : plural(point.count, 'reading');
  return [...(head ? [plain(head, 80)] : []), axis(yAxis, point.y), axis('x', point.x)];
}

function runLines(run: RunResult): string[] {
  const place = run.block === null || run.position === null ? '' : `, place ${run.position}`;
  const time = run.durationS === null ? '' : `in ${quantity(run.durationS, 's')}`;
  const parts = [quantity(run.energyJ, 'J'), time, (run.executions ?? 1) > 1 ? 'per execution' : ''];
  return [
    `${plain(run.variant, 60)}: run ${run.run}${blockWords(run)}${place}`,
    parts.filter(Boolean).join(' '),
    ...(run.meanPowerW === null ? [] : [`mean power ${quantity(run.meanPowerW, 'W')}`]),
    ...(run.status === 'ok'
      ? []
      : [`${run.status}${run.reason === null ? '' : `: ${plain(runReasonText(run.reason), 80)}`}`]),
  ];
}
