import { csvText } from '../../report/csv.ts';
import type { TrendPlace } from '../trend.ts';

const HEAD =
  'repository,experiment,machine,cpu,meter,address,source,channel,started_at,commit,variant,runs,energy_j,ci95_low_j,ci95_high_j,step_percent,image_rebuilt,report';

/** history.csv: every experiment of the page, a line for each variant. `step_percent` stands at the first experiment behind a step. */
export function historyCsv(places: readonly TrendPlace[]): string {
  const rows = places.flatMap((place) => {
    const { machine, meter } = place;
    const where = [place.repository, place.experiment, machine.hostname, machine.cpu, meter.type, meter.address];
    return place.lines.flatMap((line) => {
      const steps = new Map(line.steps.map(({ at, percent }) => [at, percent]));
      const rebuilt = new Set(line.rebuilt.map(({ at }) => at));
      return line.at.map((at, i) => [
        ...where,
        meter.source,
        meter.channel,
        place.startedAt[at],
        place.commits[at],
        line.variant,
        line.runs[i],
        line.energyJ[i],
        line.lowJ[i],
        line.highJ[i],
        steps.get(at),
        rebuilt.has(at) ? 'yes' : '',
        place.reports[at],
      ]);
    });
  });
  return csvText([HEAD.split(','), ...rows]);
}
