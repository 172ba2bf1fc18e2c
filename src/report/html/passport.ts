import type { Passport } from '../../findings/passport.ts';
import { duration, quantity, significant } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { type Cell, name, type Table } from '../tables.ts';

/** What `meter check` found out about the meter, a row a finding. */
export function passportTable(p: Passport): Table {
  const { latency, step } = p;
  const rows: [string, string | null][] = [
    ['Checked', `${p.when}, on ${p.host}`],
    ['Meter', [p.type, p.address && `at ${p.address}`, `channel ${p.channel}`].filter(Boolean).join(', ')],
    ['Verdict', p.sane ? 'sane' : 'not sane'],
    ['Watched', `${duration(p.duration_s)}: ${plural(p.readings, 'reading')}, ${plural(p.gaps, 'gap')}`],
    ['A reading every', `${significant(p.period_s)} s (its maker says ${significant(p.nominal_period_s)} s)`],
    [
      'Jitter',
      `${significant(p.jitter_s * 1000, 2)} ms; the longest interval took ${significant(p.longest_interval_s)} s`,
    ],
    ['Resolution', p.resolution_w === null ? null : quantity(p.resolution_w, 'W', 2)],
    [
      'Shows a step late by',
      latency &&
        `${significant(latency.mean_s, 2)} s${latency.sd_s === null ? '' : ` ± ${significant(latency.sd_s, 1)} s`}, at most ${significant(latency.max_s, 2)} s, of ${plural(latency.edges, 'edge')}`,
    ],
    ['Guard needed', p.guard_needed_s === null ? null : `${significant(p.guard_needed_s, 2)} s`],
    [
      'Load test',
      step &&
        `${quantity(step.idle_w, 'W', 3)} idle, ${quantity(step.busy_w, 'W', 3)} busy; the step was seen in ${step.seen} of ${step.judged}`,
    ],
  ];
  return {
    head: ['Passport', 'Value'],
    rows: rows.flatMap(([key, value]): Cell[][] => (value === null ? [] : [[key, name(value)]])),
  };
}
