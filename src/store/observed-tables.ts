import * as z from 'zod';
import { COUNT_KINDS, LIMITATIONS } from '../contracts/observation.ts';
import { WAYS } from '../contracts/tracers.ts';
import { integer, json, nullable, oneOf, real, table, text, timeNs } from './table.ts';

// What extra runs gave that were observed. They are no runs of the experiment: nothing of them is in an energy.

/** What there is on this machine to look with. */
export const OBSERVER = table(
  'observer',
  {
    name: text,
    /** In the order in which they are asked. */
    position: integer,
    /** What it lacks; null: it can be used. */
    missing: nullable(oneOf(LIMITATIONS)),
  },
  { key: ['name'] },
);

export const OBSERVED_RUN = table(
  'observed_run',
  {
    /** From 1, in the order of execution. */
    observed: integer,
    round: integer,
    variant: text,
    status: oneOf(['ok', 'failed']),
    /** Why it is failed; null: it is not. */
    reason: nullable(text),
    startNs: timeNs,
    endNs: timeNs,
    /** Executions of the command inside the window. */
    executions: integer,
    /** How the looking slows down what is looked at: `sampled` hardly, the others (under a tracer) as much as they like. */
    way: oneOf(WAYS),
  },
  {
    key: ['observed'],
    constraints: [
      'FOREIGN KEY (variant) REFERENCES variant(name)',
      "CHECK ((status = 'ok') = (reason IS NULL))",
      'CHECK (start_ns <= end_ns)',
      'CHECK (executions >= 1)',
    ],
  },
);

export const OBSERVED_MARK = table(
  'observed_mark',
  { observed: integer, mark: integer, tNs: timeNs, lateNs: timeNs, phase: nullable(text) },
  {
    key: ['observed', 'mark'],
    constraints: ['FOREIGN KEY (observed) REFERENCES observed_run(observed)', 'CHECK (late_ns >= 0)'],
  },
);

/** Who looked at a run. */
export const OBSERVED_BY = table(
  'observed_by',
  {
    observed: integer,
    name: text,
    /** Why nothing of it is there; null: it saw what it could. */
    failure: nullable(oneOf(LIMITATIONS)),
  },
  {
    key: ['observed', 'name'],
    constraints: [
      'FOREIGN KEY (observed) REFERENCES observed_run(observed)',
      'FOREIGN KEY (name) REFERENCES observer(name)',
    ],
  },
);

/** What was counted, by stretches of time; a stretch in which nothing was counted has no row, but a total of the whole run that is known to be none has one. */
export const OBSERVED_COUNT = table(
  'observed_count',
  {
    observed: integer,
    fromNs: timeNs,
    toNs: timeNs,
    kind: oneOf(COUNT_KINDS),
    name: text,
    value: real,
    errors: nullable(integer),
  },
  {
    constraints: [
      'FOREIGN KEY (observed) REFERENCES observed_run(observed)',
      'CHECK (from_ns <= to_ns)',
      'CHECK (value >= 0)',
    ],
  },
);

export const FRAME = table('frame', { frame: integer, name: text, library: nullable(text) }, { key: ['frame'] });

/** Of a deeper stack the innermost frames are kept. A tree of them is walked by functions that call themselves. */
export const MAX_FRAMES = 500;

/** Every stack that was seen, once: its frames, the outermost first. */
export const STACK = table(
  'stack',
  { stack: integer, frames: json<readonly number[]>(z.array(z.int().min(1)).max(MAX_FRAMES)) },
  { key: ['stack'] },
);

export const OBSERVED_SAMPLE = table(
  'observed_sample',
  { observed: integer, tNs: timeNs, weightNs: integer, stack: integer },
  {
    constraints: [
      'FOREIGN KEY (observed) REFERENCES observed_run(observed)',
      'FOREIGN KEY (stack) REFERENCES stack(stack)',
      'CHECK (weight_ns >= 0)',
    ],
  },
);

/** All tables of observed runs, in the order in which they are made. */
export const OBSERVED_TABLES = [
  OBSERVER,
  OBSERVED_RUN,
  OBSERVED_MARK,
  OBSERVED_BY,
  OBSERVED_COUNT,
  FRAME,
  STACK,
  OBSERVED_SAMPLE,
];
