import * as z from 'zod';

// Questions to the helper on another machine, and their answers. The other machine can't be trusted, so every answer must fit a schema with bounds.
// The helper gets the schemas of the questions as JSON Schema, and checks what it is asked.

/** Upper bound on the time stamps of one output: an output with more has none at all. */
export const MAX_STAMPS = 100_000;

/** Bytes of output in one answer: a slow line brings these in time, and a sign of life between any two. */
export const PIECE_BYTES = 256 * 2 ** 10;
/** Upper bounds on the bytes of each end of a service's output, and of a file (KEPT_PRINTED and `files` of the helper). */
const MAX_END_BYTES = 8 * 2 ** 20;
const MAX_FILE_BYTES = 2 ** 20;
const base64 = (maxBytes: number) => z.string().max(4 * Math.ceil(maxBytes / 3));

/** CLOCK_MONOTONIC there, nanoseconds. Doubles hold every integer up to 104 days; the 64 bits of the clock are the upper bound. */
export const TimeNs = z
  .number()
  .min(0)
  .lt(2 ** 63)
  .refine(Number.isInteger, 'no whole number of nanoseconds');

/** Seconds of work or waiting; the bound is longer than any machine has been running. */
export const Seconds = z.number().min(0).max(1e12);

/** Names of processes or containers that were left, as a person is shown them. */
export const Names = z.array(z.string().max(4096)).max(65_536);

/** Both ends of an output, in base64, and how many bytes between them were left out. */
const Printed = z.object({
  parts: z.array(base64(MAX_END_BYTES)).max(2),
  left_out: z.int().min(0),
});

const Owner = z.object({
  uid: z.int(),
  gid: z.int(),
  mode: z.int(),
  /** Device and inode in the form of /proc/locks. */
  node: z.string(),
});

const Ending = { exit_code: z.int().nullable(), signal: z.string().max(20).nullable(), left: Names };
const Nothing = z.object({});
const Path = z.string();
const Paths = z.array(Path).readonly();
const Bytes = z.int().min(0);
/** A program to start: its words, its folder, and variables that are added to the helper's own. */
const Start = { argv: z.array(z.string()).min(1).readonly(), cwd: Path, env: z.record(z.string(), z.string()) };
/** Time limit of each execution, seconds; null: none. */
const Limit = Seconds.nullable();
const Name = { name: z.string() };

/** Schemas of a question and of its answer; null: it is not answered. */
interface Operation {
  readonly asks: z.ZodObject;
  readonly gives: z.ZodObject | null;
}

/** Every operation of the helper on another machine (helper/program.py), by its name. */
export const OPERATIONS = {
  /** Reads its clock. */
  clock: { asks: z.strictObject({}), gives: z.object({ t: TimeNs }) },
  /** Runs a command to its end, one at a time, and keeps its output; `stamped`: also when each part of the output came. */
  run: {
    asks: z.strictObject({
      ...Start,
      timeout: Limit,
      executions: z.int().min(1).optional(),
      /** Upper bound on the bytes that the command may print. */
      most: Bytes,
      /** Whether to end processes that the command leaves running. */
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
  /** Ends the command or container that runs. */
  stop: { asks: z.strictObject({}), gives: null },
  /** Ends everything that runs, except services. */
  sweep: { asks: z.strictObject({}), gives: z.object({ remaining: Names }) },
  /** Gives a piece of the output of the last command or container, in base64, and the bytes of all of it. */
  printed: {
    asks: z.strictObject({ begin: Bytes, end: Bytes }),
    gives: z.object({ data: base64(PIECE_BYTES), size: Bytes }),
  },
  /** Gives when the last command's output was seen to have so many bytes, and how much older it may be (ns); null: too many stamps. */
  stamps: {
    asks: z.strictObject({}),
    gives: z.object({
      stamps: z
        .array(z.tuple([Bytes, TimeNs, TimeNs]))
        .max(MAX_STAMPS)
        .nullable(),
    }),
  },
  /** Makes the helper remove containers of its folder when it ends. */
  engine: { asks: z.strictObject({ socket: Path }), gives: z.object({ remaining: Names }) },
  /** Starts a container that was created before, and waits for its end. */
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
  /** Reads files by shell patterns, the owners of other files, which are never opened, and the targets of links. */
  files: {
    asks: z.strictObject({ patterns: Paths, names: Paths, links: Paths }),
    gives: z.object({
      texts: z.record(z.string(), z.string().max(MAX_FILE_BYTES)),
      links: z.record(z.string(), z.string()),
      owners: z.record(z.string(), Owner),
    }),
  },
  /** Gives the helper's user, free bytes at paths, and the kernel's log; null: the log may not be read. */
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
  /** Sends the next part of an archive, in base64. */
  unpack: { asks: z.strictObject({ data: z.string() }), gives: Nothing },
  /** Ends the archive, and unpacks it into a folder of the helper. */
  unpacked: { asks: z.strictObject({ into: z.string() }), gives: z.object({ path: Path }) },
  /** Tests whether a port accepts connections. */
  reach: {
    asks: z.strictObject({ host: z.string(), port: z.int().min(1).max(65_535), within: Seconds }),
    gives: Nothing,
  },
  service: { asks: z.strictObject({ ...Name, ...Start }), gives: Nothing },
  /** Waits for the end of a service. */
  service_end: { asks: z.strictObject(Name), gives: Printed.extend(Ending) },
  /** Gives the output of a service. `parts` null: there is no more than was `seen`. */
  service_printed: {
    asks: z.strictObject({ ...Name, most: Bytes, seen: Bytes }),
    gives: Printed.extend({ parts: Printed.shape.parts.nullable(), size: Bytes }),
  },
  /** Runs a command beside a service, and tells whether it succeeds. */
  service_try: {
    asks: z.strictObject({ ...Name, ...Start, timeout: Seconds }),
    gives: z.object({ good: z.boolean() }),
  },
  service_enough: { asks: z.strictObject(Name), gives: null },
  service_stop: {
    asks: z.strictObject({ ...Name, signal: z.string().regex(/^SIG[A-Z0-9]+$/), within: Seconds, most: Bytes }),
    gives: Printed.extend({ killed: z.boolean(), left: Names, remaining: Names }),
  },
  /** Ends everything, the helper included. */
  bye: { asks: z.strictObject({}), gives: z.object({ remaining: Names, removed: z.boolean() }) },
} as const satisfies Readonly<Record<string, Operation>>;

type Operations = typeof OPERATIONS;
export type OperationName = keyof Operations;
/** Names of the operations that are answered. */
export type AnsweredName = { [N in OperationName]: Operations[N]['gives'] extends null ? never : N }[OperationName];
export type Query<N extends OperationName> = z.input<Operations[N]['asks']>;
export type Reply<N extends AnsweredName> = z.output<NonNullable<Operations[N]['gives']>>;

/** The questions by their names, as JSON Schema. */
export const questionSchemas = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, { asks }]) => {
      const { $schema: _, ...schema } = z.toJSONSchema(asks);
      return [name, schema];
    }),
  );
