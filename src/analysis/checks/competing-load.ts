import type { Check } from '../../findings/checks.ts';
import { median } from '../../stats/quantiles.ts';
import type { CheckedRuns } from './checked-runs.ts';

/** Minimum load that is reported, processors; joulediff itself and an idle Docker engine need far less. */
const BUSY_ALWAYS = 0.25;
const BUSY_RUN = 0.5;
const MANY_RUNS = 0.1;
const MIN_RUNS = 6;

/** Whether other programs kept the machine busy during rests, before any variant. It compares amounts; no test is needed. */
export function competingLoad({ good }: CheckedRuns): Check[] {
  const loads = good.flatMap(({ run, machine }) => (machine?.load == null ? [] : [{ run, load: machine.load }]));
  if (loads.length < MIN_RUNS) return [];
  const usual = median(loads.map(({ load }) => load));
  const busy = loads.filter(({ load }) => load >= BUSY_RUN);
  const most = Math.max(...loads.map(({ load }) => load));
  const always = usual >= BUSY_ALWAYS;
  const reason = always ? 'always' : busy.length > 0 ? 'sometimes' : 'none';
  const state = always || busy.length >= MANY_RUNS * loads.length ? 'warn' : 'ok';
  return [
    { name: 'competing load', state, reason, facts: { usual, most, busy_runs: busy.length, runs: loads.length } },
  ];
}
