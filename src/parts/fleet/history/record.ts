import * as z from 'zod';
import { InputError } from '../../../errors.ts';
import { Verdict } from '../../../findings/comparison.ts';

/** What is kept of one experiment: what it was, where it was measured, and its findings in a few numbers. */

const RECORD = 'joulediff/history/1';

const text = z.string().max(500);
const number = z.number().min(-1e18).max(1e18);
const interval = z.tuple([number, number]);
/** Only web addresses are ever shown as links. */
const address = z.url({ protocol: /^https?$/, hostname: /^[^\s<>"']+$/ }).max(2000);

const variant = z.object({
  name: text,
  kind: text,
  /** Runs that count. */
  n: z.int().positive(),
  /** Mean of one execution on the channel, gross, joules, with its 95 % interval. */
  energy_j: number.positive(),
  ci95: interval.nullable(),
  /** What its place told of itself, by name. */
  facts: z.record(text, z.union([text, number, z.boolean(), z.null()])),
});

const comparison = z.object({
  baseline: text,
  variant: text,
  percent: number.nullable(),
  ci95: interval.nullable(),
  verdict: Verdict,
});

const record = z.object({
  schema: z.literal(RECORD),
  /** The experiment's; unique. */
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/),
  experiment: text,
  /** ISO 8601, UTC. */
  started_at: z.iso.datetime(),
  joulediff_version: text,
  /** Address of the repository; null: measured outside one. */
  repository: address.nullable(),
  commit: z
    .string()
    .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
    .nullable(),
  /** Of a commit that was measured afterwards: its place in the history. */
  committed_at: z.iso.datetime().optional(),
  branch: text.nullable(),
  /** Page of the workflow run, where the report is. */
  report: address.nullable(),
  /** What makes a machine the same one. */
  machine: z.object({
    hostname: text,
    model: text.nullable(),
    cpu: text.nullable(),
    cpus: z.int().nonnegative(),
    virtualization: text.nullable(),
  }),
  /** What may change on the same machine. */
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
    /** Hash of what the meter says of itself and that lasts. */
    identity: z.string().regex(/^[0-9a-f]{16}$/),
    channel: text,
  }),
  variants: z.array(variant).min(1).max(501),
  /** Names of the failed checks without which its numbers can't be trusted. */
  failed_checks: z.array(text).max(100).default([]),
  comparisons: z.array(comparison).max(125_000),
});

export type HistoryRecord = z.output<typeof record>;
export type HistoryVariant = HistoryRecord['variants'][number];
export { RECORD as RECORD_SCHEMA };

/**
 * A record that was read from somewhere; `where` names the place in messages. Parts that this version does not know are left out.
 * Throws InputError for one of a newer joulediff, and for anything that is no record.
 */
export function readRecord(value: unknown, where: string): HistoryRecord {
  const parsed = record.safeParse(value);
  if (parsed.success) return parsed.data;
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : null;
  const newer = typeof schema === 'string' && schema !== RECORD && /^joulediff\/history\/\d{1,6}$/.test(schema);
  if (newer) {
    throw new InputError(`${where} was written by a newer joulediff (${schema}; this one knows ${RECORD}).`, {
      advice: 'Use the newer version here too.',
    });
  }
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : ` (at ${issue.path.join('.')})`;
  throw new InputError(`${where} is not a history record${place}.`, {
    advice: 'Another program wrote it: remove it, or choose another place for the history.',
  });
}

/** The order of measuring; what was measured afterwards stands where its commit does. */
export function inOrder(records: readonly HistoryRecord[]): HistoryRecord[] {
  const key = ({ started_at, committed_at: at = started_at, id }: HistoryRecord): string =>
    `${new Date(at).toISOString()} ${id}`;
  return records
    .map((each) => ({ each, key: key(each) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ each }) => each);
}

/** A place where records are kept. Its methods throw InputError for what is not ours or is newer, MeasureError for what doesn't work. */
export interface HistoryStore {
  /** As messages name it. */
  readonly name: string;
  /** Keeps a record; false: this experiment was kept before, and stays as it was. */
  add(record: HistoryRecord): Promise<boolean>;
  /** Removes the records of these ids, all or none of them, and nothing else. Gives how many were there. */
  remove(ids: ReadonlySet<string>): Promise<number>;
  /** All records, in the order of measuring; none where nothing was kept yet. */
  records(): Promise<HistoryRecord[]>;
}
