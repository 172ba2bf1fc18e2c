import * as z from 'zod';

// What a helper on another machine can be asked, and what it answers. Another machine, or whoever stands in its place, decides what comes, and none of
// it may be more than it can be. The helper is given the questions as JSON Schema, and holds against them whatever it is asked.

/** Entries of the list that stamps what was printed: beyond these nothing is stamped. */
export const MAX_STAMPS = 100_000;

/** CLOCK_MONOTONIC there, nanoseconds: beyond 104 days it is no integer that every double holds, and in 64 bits it ends. */
export const TimeNs = z
  .number()
  .min(0)
  .lt(2 ** 63)
  .refine(Number.isInteger, 'no whole number of nanoseconds');

/** Seconds of work or waiting. No machine has been running for longer. */
export const Seconds = z.number().min(0).max(1e12);

/** Names of processes or containers that were left, as a person is shown them. */
export const Names = z.array(z.string().max(4096)).max(65_536);

/** Both ends of what was printed, in base64, and how many bytes are missing between them. */
const Printed = z.object({
  parts: z.array(z.string()).max(2),
  left_out: z.int().min(0),
});

const Owner = z.object({
  uid: z.int(),
  gid: z.int(),
  mode: z.int(),
  /** As /proc/locks names it. */
  node: z.string(),
});

const Ending = { exit_code: z.int().nullable(), signal: z.string().max(20).nullable(), left: Names };
const Nothing = z.object({});
const Path = z.string();
const Paths = z.array(Path).readonly();
const Bytes = z.int().min(0);
/** Of a program that is started: words, folder and variables, which come on top of the helper's own. */
const Start = { argv: z.array(z.string()).min(1).readonly(), cwd: Path, env: z.record(z.string(), z.string()) };
/** Of each execution, seconds; null: as long as it takes. */
const Limit = Seconds.nullable();
const Name = { name: z.string() };

/** A question, and what answers it; null: nothing does. */
interface Operation {
  readonly asks: z.ZodObject;
  readonly gives: z.ZodObject | null;
}

/** Every operation of the helper on another machine (helper/program.py), by its name. */
export const OPERATIONS = {
  /** Its clock, now. */
  clock: { asks: z.strictObject({}), gives: z.object({ t: TimeNs }) },
  /** Runs a command to its end; one at a time. Its output is kept, and what of it came when where it is `stamped`. */
  run: {
    asks: z.strictObject({
      ...Start,
      timeout: Limit,
      executions: z.int().min(1).optional(),
      /** Bytes that it may print. */
      most: Bytes,
      /** Whether what it leaves running is ended. */
      ends_others: z.boolean(),
      stamped: z.boolean().optional(),
    }),
    gives: z.object({
      ...Ending,
      start: TimeNs,
      end: TimeNs,
      cpu: Seconds,
      timed_out: z.boolean(),
      printed_too_much: z.boolean(),
      remaining: Names,
    }),
  },
  /** Ends what runs. */
  stop: { asks: z.strictObject({}), gives: null },
  /** Ends whatever runs but services. */
  sweep: { asks: z.strictObject({}), gives: z.object({ remaining: Names }) },
  /** What the last command or container printed. */
  printed: { asks: z.strictObject({ most: Bytes }), gives: Printed },
  /** Up to which byte of the last command's output it was seen when, and how much earlier it may have been printed, nanoseconds; null: too often. */
  stamps: {
    asks: z.strictObject({}),
    gives: z.object({
      stamps: z
        .array(z.tuple([Bytes, TimeNs, TimeNs]))
        .max(MAX_STAMPS)
        .nullable(),
    }),
  },
  /** From now on, containers of this place are removed when the helper ends. */
  engine: { asks: z.strictObject({ socket: Path }), gives: z.object({ remaining: Names }) },
  /** Starts a container that is made, and waits for its end. */
  container: {
    asks: z.strictObject({ container: z.string(), timeout: Limit, most: Bytes }),
    gives: z.object({
      start: TimeNs,
      end: TimeNs.nullable(),
      started: Seconds.nullable(),
      timed_out: z.boolean(),
      printed_too_much: z.boolean(),
      /** Null: the engine went away. */
      exit_code: z.int().nullable(),
      out_of_memory: z.boolean(),
    }),
  },
  /** Texts of files, owners of others, which are never opened, and where links lead; patterns are those of a shell. */
  files: {
    asks: z.strictObject({ patterns: Paths, names: Paths, links: Paths }),
    gives: z.object({
      texts: z.record(z.string(), z.string()),
      links: z.record(z.string(), z.string()),
      owners: z.record(z.string(), Owner),
    }),
  },
  /** Who it runs as, bytes that are free at paths, and the kernel's log; null: it may not be read. */
  about: {
    asks: z.strictObject({ paths: Paths }),
    gives: z.object({
      name: z.string(),
      uid: z.int(),
      groups: z.array(z.string()),
      free: z.record(z.string(), z.number()),
      log: z.array(z.string()).nullable(),
    }),
  },
  is_folder: { asks: z.strictObject({ path: Path }), gives: z.object({ is: z.boolean() }) },
  /** More of an archive, in base64. */
  unpack: { asks: z.strictObject({ data: z.string() }), gives: Nothing },
  /** All of the archive is there: it is unpacked into a folder of the helper's. */
  unpacked: { asks: z.strictObject({ into: z.string() }), gives: z.object({ path: Path }) },
  /** Whether something takes connections. */
  reach: {
    asks: z.strictObject({ host: z.string(), port: z.int().min(1).max(65_535), within: Seconds }),
    gives: Nothing,
  },
  service: { asks: z.strictObject({ ...Name, ...Start }), gives: Nothing },
  /** Answered when it ends. */
  service_end: { asks: z.strictObject(Name), gives: Printed.extend(Ending) },
  /** `parts` null: no more than was seen before. */
  service_printed: {
    asks: z.strictObject({ ...Name, most: Bytes, seen: Bytes }),
    gives: Printed.extend({ parts: Printed.shape.parts.nullable(), size: Bytes }),
  },
  /** Whether a command beside a service succeeds. */
  service_try: {
    asks: z.strictObject({ ...Name, ...Start, timeout: Seconds }),
    gives: z.object({ good: z.boolean() }),
  },
  service_enough: { asks: z.strictObject(Name), gives: null },
  service_stop: {
    asks: z.strictObject({ ...Name, signal: z.string().regex(/^SIG[A-Z0-9]+$/), within: Seconds, most: Bytes }),
    gives: Printed.extend({ killed: z.boolean(), left: Names, remaining: Names }),
  },
  /** Ends everything, and the helper. */
  bye: { asks: z.strictObject({}), gives: z.object({ remaining: Names, removed: z.boolean() }) },
} as const satisfies Readonly<Record<string, Operation>>;

type Operations = typeof OPERATIONS;
export type OperationName = keyof Operations;
/** Operations that are answered. */
export type AnsweredName = { [N in OperationName]: Operations[N]['gives'] extends null ? never : N }[OperationName];
export type Asked<N extends OperationName> = z.input<Operations[N]['asks']>;
export type Given<N extends AnsweredName> = z.output<NonNullable<Operations[N]['gives']>>;

/** The questions by their names, as JSON Schema. */
export const questionSchemas = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, { asks }]) => {
      const { $schema: _, ...schema } = z.toJSONSchema(asks);
      return [name, schema];
    }),
  );
