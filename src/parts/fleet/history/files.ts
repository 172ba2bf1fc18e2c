import { join } from 'node:path';
import { csvText } from '../../../report/csv.ts';
import { RESULT_FILES } from '../../../system/result-files.ts';
import { ResultFolder } from '../../../system/result-folder.ts';
import type { History } from './record.ts';
import { type TrendLine, type TrendSeries, trendOf } from './trend.ts';

/** Writes history.html and history.csv into a folder. Throws what the file system throws. */
export async function writeHistory({ records, notes }: History, outDir: string): Promise<readonly string[]> {
  // chart.js is only read here, so that everything else starts without it.
  const { historyHtml } = await import('./page/page.ts');
  const places = trendOf(records, notes);
  const files = { [RESULT_FILES.historyPage]: historyHtml(places), [RESULT_FILES.historyCsv]: historyCsv(places) };
  using folder = ResultFolder.open(outDir);
  for (const [name, text] of Object.entries(files)) await folder.replace(name, text);
  return Object.keys(files).map((name) => join(outDir, name));
}

const HEAD =
  'repository,experiment,machine,cpu,meter,address,source,channel,started_at,commit,variant,runs,energy_j,ci95_low_j,ci95_high_j,step_percent,image_rebuilt,report,baseline,difference_percent,difference_ci95_low,difference_ci95_high,difference_step_percent,note,status';

/**
 * history.csv: every experiment of the page, a line for each variant; one that is compared with several baselines has one for each.
 * `step_percent` and `difference_step_percent` stand at the first experiment behind a step, `note` at every experiment of its commit.
 * `status` is `ok`, or `failed` where the variant has no numbers, because its runs failed.
 */
export function historyCsv(allSeries: readonly TrendSeries[]): string {
  const rows = allSeries.flatMap((series) => {
    const { machine, meter } = series;
    const where = [series.repository, series.experiment, machine.hostname, machine.cpu, meter.type, meter.address];
    const notes = new Map(series.notes.map(({ at, text }) => [at, text]));
    return series.lines.flatMap((line) => {
      const steps = stepsOf(line);
      const rebuilt = new Set(line.rebuilt.map(({ at }) => at));
      const differences = series.differences.filter(({ variant }) => variant === line.variant).map(differenceReader);
      const indexes = new Map(line.at.map((at, i) => [at, i]));
      const experiments = [...line.at, ...line.failed].sort((a, b) => a - b);
      return experiments.flatMap((at) => {
        const i = indexes.get(at) ?? -1;
        const energy = [
          ...where,
          meter.source,
          meter.channel,
          series.startedAt[at],
          series.commits[at],
          line.variant,
          line.runs[i],
          line.values[i],
          line.lows[i],
          line.highs[i],
          steps.get(at),
          rebuilt.has(at) ? 'yes' : '',
          series.reports[at],
        ];
        const found = differences.map((read) => read(at)).filter((cells) => cells !== null);
        return (found.length === 0 ? [[null, null, null, null, null]] : found).map((cells) => [
          ...energy,
          ...cells,
          notes.get(at),
          i < 0 ? 'failed' : 'ok',
        ]);
      });
    });
  });
  return csvText([HEAD.split(','), ...rows]);
}

function stepsOf({ steps }: TrendLine): Map<number, number> {
  return new Map(steps.map(({ at, percent }) => [at, percent]));
}

/** The cells of a difference at an experiment; null where it has none. */
function differenceReader(line: TrendLine): (at: number) => (string | number | null | undefined)[] | null {
  const steps = stepsOf(line);
  const indexes = new Map(line.at.map((at, i) => [at, i]));
  return (at) => {
    const i = indexes.get(at);
    return i === undefined ? null : [line.baseline, line.values[i], line.lows[i], line.highs[i], steps.get(at)];
  };
}
