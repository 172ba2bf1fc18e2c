import { join } from 'node:path';
import { csvText } from '../report/csv.ts';
import { RESULT_FILES } from '../system/result-files.ts';
import { ResultFolder } from '../system/result-folder.ts';
import type { HistoryRecord } from './record.ts';
import { type TrendSeries, trendOf } from './trend.ts';

/** Writes history.html and history.csv into a folder. Throws what the file system throws. */
export async function writeHistory(records: readonly HistoryRecord[], outDir: string): Promise<readonly string[]> {
  // chart.js is only read here, so that everything else starts without it.
  const { historyHtml } = await import('./page/page.ts');
  const places = trendOf(records);
  const files = { [RESULT_FILES.historyPage]: historyHtml(places), [RESULT_FILES.historyCsv]: historyCsv(places) };
  using folder = ResultFolder.open(outDir);
  for (const [name, text] of Object.entries(files)) await folder.replace(name, text);
  return Object.keys(files).map((name) => join(outDir, name));
}

const HEAD =
  'repository,experiment,machine,cpu,meter,address,source,channel,started_at,commit,variant,runs,energy_j,ci95_low_j,ci95_high_j,step_percent,image_rebuilt,report';

/** history.csv: every experiment of the page, a line for each variant. `step_percent` stands at the first experiment behind a step. */
export function historyCsv(allSeries: readonly TrendSeries[]): string {
  const rows = allSeries.flatMap((series) => {
    const { machine, meter } = series;
    const where = [series.repository, series.experiment, machine.hostname, machine.cpu, meter.type, meter.address];
    return series.lines.flatMap((line) => {
      const steps = new Map(line.steps.map(({ at, percent }) => [at, percent]));
      const rebuilt = new Set(line.rebuilt.map(({ at }) => at));
      return line.at.map((at, i) => [
        ...where,
        meter.source,
        meter.channel,
        series.startedAt[at],
        series.commits[at],
        line.variant,
        line.runs[i],
        line.energyJ[i],
        line.lowJ[i],
        line.highJ[i],
        steps.get(at),
        rebuilt.has(at) ? 'yes' : '',
        series.reports[at],
      ]);
    });
  });
  return csvText([HEAD.split(','), ...rows]);
}
