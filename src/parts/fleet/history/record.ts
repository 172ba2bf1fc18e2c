import * as z from 'zod';
import { InputError } from '../../../errors.ts';
import { Verdict } from '../../../findings/comparison.ts';
import { plain } from '../../../text/plain.ts';

/** Record of an experiment in the history: its identity, machine, and main results. */

const RECORD = 'joulediff/history/1';

const NOTE = 'joulediff/history-note/1';

const text = z.string().max(500);
const number = z.number().min(-1e18).max(1e18);
const interval = z.tuple([number, number]);
/** Only web addresses are ever shown as links. */
const address = z.url({ protocol: /^https?$/, hostname: /^[^\s<>"']+$/ }).max(2000);

const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

const variant = z.object({
  name: text,
  kind: text,
  /** Commit that was checked out for it. */
  revision: commit.optional(),
  /** Number of valid runs. */
  n: z.int().positive(),
  /** Mean of one execution on the channel, gross, joules, with its 95 % interval. */
  energy_j: number.positive(),
  ci95: interval.nullable(),
  /** Facts that its place reported, by name. */
  facts: z.record(text, z.union([text, number, z.boolean(), z.null()])),
});

const comparison = z.object({
  baseline: text,
  variant: text,
  percent: number.nullable(),
  ci95: interval.nullable(),
  verdict: Verdict,
});

const recordParts = z.object({
  schema: z.literal(RECORD),
  /** The experiment's; unique. */
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/),
  experiment: text,
  /** ISO 8601, UTC. */
  started_at: z.iso.datetime(),
  joulediff_version: text,
  /** Address of the repository; null: measured outside one. */
  repository: address.nullable(),
  commit: commit.nullable(),
  /** Commit time, for a commit that was measured later: it determines the place in the history. */
  committed_at: z.iso.datetime().optional(),
  branch: text.nullable(),
  /** Page of the workflow run, where the report is. */
  report: address.nullable(),
  /** Properties that identify a machine. */
  machine: z.object({
    hostname: text,
    model: text.nullable(),
    cpu: text.nullable(),
    cpus: z.int().nonnegative(),
    virtualization: text.nullable(),
  }),
  /** Properties that may change on the same machine. */
  conditions: z.object({
    kernel: text,
    governor: text.nullable(),
    turbo: z.boolean().nullable(),
    docker: text.nullable(),
  }),
  meter: z.object({
    type: text,
    address: text.nullable(),
    source: z.enum(['measured', 'modelled', 'emulated']),
    /** Hash of the meter's permanent properties. */
    identity: z.string().regex(/^[0-9a-f]{16}$/),
    channel: text,
  }),
  /** Empty for an experiment that a failure ended. */
  variants: z.array(variant).max(501),
  /** Names of the variants whose failed runs ended the experiment, or only their benchmark of a suite; empty: none did. */
  failed: z.array(text).max(501).default([]),
  /** Names of failed checks that its numbers depend on. */
  failed_checks: z.array(text).max(100).default([]),
  comparisons: z.array(comparison).max(125_000),
});

const record = recordParts.refine(({ variants, failed }) => variants.length + failed.length > 0, {
  path: ['variants'],
});

/** Characters (code points) of a note. */
export const MAX_NOTE = 200;

const note = z.object({
  schema: z.literal(NOTE),
  commit,
  text: z.string().refine((given) => given !== '' && plain(given, MAX_NOTE) === given),
});

/** Users' notes about commits, by full hash: one line of visible characters each. */
export type Notes = ReadonlyMap<string, string>;

/** Everything that a history keeps. */
export interface History {
  /** In the order of measuring. */
  readonly records: readonly HistoryRecord[];
  readonly notes: Notes;
}

export type HistoryRecord = z.output<typeof record>;
export type HistoryVariant = HistoryRecord['variants'][number];
export { RECORD as RECORD_SCHEMA };

/**
 * Makes a reader for untrusted values; `where` is their place in messages. Unknown properties are left out.
 * The reader throws InputError for records of a newer joulediff, and for anything else.
 */
function readerOf<T>(shape: z.ZodType<T>, known: string, what: string): (value: unknown, where: string) => T {
  return (value, where) => {
    const parsed = shape.safeParse(value);
    if (parsed.success) return parsed.data;
    const schema = typeof value === 'object' && value !== null && 'schema' in value ? String(value.schema) : '';
    const [family, version] = [schema.replace(/\d{1,6}$/, ''), known.replace(/\d+$/, '')];
    if (schema !== known && schema !== family && family === version) {
      throw new InputError(`${where} was written by a newer joulediff (${schema}; this one knows ${known}).`, {
        advice: 'Use the newer version here too.',
      });
    }
    const [issue] = parsed.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : ` (at ${issue.path.join('.')})`;
    throw new InputError(`${where} is not a history ${what}${place}.`, {
      advice: 'Another program wrote it: remove it, or choose another place for the history.',
    });
  };
}

export const readRecord = readerOf(record, RECORD, 'record');

const readNoteParts = readerOf(note, NOTE, 'note');

/** The commit of a note, and its text. Throws InputError, as `readRecord` does. */
export function readNote(value: unknown, where: string): readonly [commit: string, text: string] {
  const { commit: sha, text: words } = readNoteParts(value, where);
  return [sha, words];
}

/** A note as it is kept. */
export const noteJson = (sha: string, words: string) => ({ schema: NOTE, commit: sha, text: words });

/** Sort key: the time of measuring, or for a commit measured later, its commit time. */
export const placeOf = ({ started_at, committed_at: at = started_at }: HistoryRecord): string =>
  new Date(at).toISOString();

/** By their places. */
export function inOrder(records: readonly HistoryRecord[]): HistoryRecord[] {
  const key = (record: HistoryRecord): string => `${placeOf(record)} ${record.id}`;
  return records
    .map((each) => ({ each, key: key(each) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ each }) => each);
}

/** Storage of records. Methods throw InputError for foreign or newer data, MeasureError for failures. */
export interface HistoryStore {
  /** Display name used in messages. */
  readonly name: string;
  /** Keeps a record; false: this experiment was kept before, and stays as it was. */
  add(record: HistoryRecord): Promise<boolean>;
  /** Removes the records of these ids, all or none of them, and notes of commits without any record. Gives how many records were there. */
  remove(ids: ReadonlySet<string>): Promise<number>;
  /** Keeps a note of this commit (its full hash) in the place of an earlier one; empty: removes that. Gives whether anything changed. */
  annotate(commit: string, text: string): Promise<boolean>;
  /** Everything that is kept; nothing where nothing was kept yet. */
  read(): Promise<History>;
  /** The records alone. */
  records(): Promise<readonly HistoryRecord[]>;
}
