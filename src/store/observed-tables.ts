import * as z from 'zod';
import { COUNT_KINDS, LIMITATIONS } from '../contracts/observation.ts';
import { WAYS } from '../contracts/tracers.ts';
import { integer, json, nullable, oneOf, real, table, text, timeNs } from './table.ts';

// Results of observed extra runs. They are not runs of the experiment: no energy includes them.

/** Observers (profilers, tracers, samplers) that this machine was tested for. */
export const OBSERVER = table(
  'observer',
  {
    name: text,
    /** Order of the observers. */
    position: integer,
    /** The limitation that prevents its use; null: it can be used. */
    missing: nullable(oneOf(LIMITATIONS)),
  },
  { key: ['name'] },
);

export const OBSERVED_RUN = table(
  'observed_run',
  {
    /** Number of the observed run, from 1, in the order of execution. */
    observed: integer,
    round: integer,
    variant: text,
    status: oneOf(['ok', 'failed']),
    /** Why the run failed; null: it did not. */
    reason: nullable(text),
    startNs: timeNs,
    endNs: timeNs,
    /** Executions of the command inside the window. */
    executions: integer,
    /** How observing slows the run down: `sampled` hardly does, tracers may by any factor. */
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

/** Observers of each observed run. */
export const OBSERVED_BY = table(
  'observed_by',
  {
    observed: integer,
    name: text,
    /** Why the observer has no data of this run; null: it has. */
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

/** Counts per stretch of time. A stretch without events has no row, but a total of the whole run that is known to be 0 has one. */
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

/** Maximum depth of a recorded stack: deeper ones keep their innermost frames. Recursive functions walk the tree of stacks. */
export const MAX_FRAMES = 500;

/** Each distinct stack, once: its frames, the outermost first. */
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
