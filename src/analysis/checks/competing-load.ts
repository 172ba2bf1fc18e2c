import type { Check } from '../../findings/checks.ts';
import { median } from '../../stats/quantiles.ts';
import { significant } from '../numbers.ts';
import type { CheckedRuns } from './checked-runs.ts';
import { lamp } from './lamp.ts';

/** Processors; joulediff itself and a resting Docker engine stay far below. */
const BUSY_ALWAYS = 0.25;
const BUSY_RUN = 0.5;
const MANY_RUNS = 0.1;
const LEAST_RUNS = 6;

/** Was the machine's rest disturbed by somebody else's work, whichever variant came next? Amounts, not a test: the load was counted. */
export function competingLoad({ good }: CheckedRuns): Check[] {
  const loads = good.flatMap(({ run, machine }) => (machine?.load == null ? [] : [{ run, load: machine.load }]));
  if (loads.length < LEAST_RUNS) return [];
  const usual = median(loads.map(({ load }) => load));
  const busy = loads.filter(({ load }) => load >= BUSY_RUN);
  const most = Math.max(...loads.map(({ load }) => load));
  const always = usual >= BUSY_ALWAYS;
  const words = always
    ? `Something else kept ${significant(usual, 2)} processors busy while the machine should have rested before the runs (median).`
    : `Before ${busy.length} of ${loads.length} runs something else was busy while the machine should have rested (up to ${significant(most, 2)} processors).`;
  return [
    lamp(always || busy.length > 0 ? [words] : [], {
      name: 'competing load',
      dark: `Nothing else was busy before the runs (${significant(usual, 2)} processors).`,
      advice:
        'It competes with the workload, and its energy is in the runs: find it with `top` while nothing is measured, and stop it.',
      state: always || busy.length >= MANY_RUNS * loads.length ? 'warn' : 'ok',
    }),
  ];
}
