import type { RunResult } from '../../analysis/results.ts';

/**
 * Values of one kind in columns, which compress far better than records: for objects a column per key, for lists their
 * lengths and one column of all items. Integers too large for JSON are text.
 */
export type Column =
  | { readonly values: readonly unknown[]; readonly flags?: string }
  | { readonly bigs: readonly (string | null)[]; readonly flags?: string }
  | { readonly keys: Readonly<Record<string, Column>>; readonly flags: string }
  | { readonly lengths: readonly number[]; readonly items: Column; readonly flags: string };

/** Flag of a value, one character: present, null, or missing. */
const [THERE, NULL, MISSING] = ['1', '0', '.'];

/** Encodes values; non-integers get `digits` significant digits; null: all digits. */
export function encodeColumn(values: readonly unknown[], digits: number | null): Column {
  const there = values.filter((value) => value !== null && value !== undefined);
  const flags = values.map((value) => (value === undefined ? MISSING : value === null ? NULL : THERE)).join('');
  if (there.length > 0 && there.every(Array.isArray)) {
    const lists = there as unknown[][];
    return { lengths: lists.map((list) => list.length), items: encodeColumn(lists.flat(), digits), flags };
  }
  if (there.length > 0 && there.every((value) => typeof value === 'object')) {
    const objects = there as Record<string, unknown>[];
    const keys = [...new Set(objects.flatMap(Object.keys))];
    const column = (key: string): Column =>
      encodeColumn(
        objects.map((object) => object[key]),
        digits,
      );
    return { keys: Object.fromEntries(keys.map((key) => [key, column(key)])), flags };
  }
  const missing = flags.includes(MISSING!) ? { flags } : {};
  if (there.some((value) => typeof value === 'bigint')) {
    return { bigs: values.map((value) => (value === null || value === undefined ? null : String(value))), ...missing };
  }
  const rounded = (value: unknown): unknown =>
    digits === null || typeof value !== 'number' || Number.isInteger(value) ? value : Number(value.toPrecision(digits));
  return { values: values.map((value) => rounded(value) ?? null), ...missing };
}

/** Decodes a column. */
export function valuesOf(column: Column): unknown[] {
  if ('bigs' in column) {
    return marked(
      column.flags,
      column.bigs.map((text) => (text === null ? null : BigInt(text))),
    );
  }
  if ('values' in column) return marked(column.flags, column.values);
  return spread(column.flags, 'keys' in column ? toObjects(column.keys, column.flags) : toLists(column));
}

function toObjects(keys: Readonly<Record<string, Column>>, flags: string): unknown[] {
  const columns = Object.entries(keys).map(([key, column]) => [key, valuesOf(column)] as const);
  const count = [...flags].filter((flag) => flag === THERE).length;
  return Array.from({ length: count }, (_, i) => {
    const own = columns.filter(([, values]) => values[i] !== undefined);
    return Object.fromEntries(own.map(([key, values]) => [key, values[i]]));
  });
}

function toLists({ lengths, items }: { readonly lengths: readonly number[]; readonly items: Column }): unknown[] {
  const all = valuesOf(items);
  let from = 0;
  return lengths.map((length) => {
    from += length;
    return all.slice(from - length, from);
  });
}

function marked(flags: string | undefined, values: readonly unknown[]): unknown[] {
  return flags === undefined ? [...values] : values.map((value, i) => (flags[i] === MISSING ? undefined : value));
}

/** Puts the present values at the positions that the flags mark. */
function spread(flags: string, there: readonly unknown[]): unknown[] {
  let next = 0;
  return [...flags].map((flag) => (flag === THERE ? there[next++] : flag === NULL ? null : undefined));
}

/** Runs as embedded in the page: without the parts of uncertainties, which findings.json has by variant. */
export interface PackedRuns {
  readonly column: Column;
  /** Number of significant digits; null: not rounded. */
  readonly digits: number | null;
}

/** Encodes runs; numbers get `digits` significant digits; null: all digits. */
export function packRuns(runs: readonly RunResult[], digits: number | null): PackedRuns {
  return {
    column: encodeColumn(
      runs.map(({ uncertainty: _, ...run }) => run),
      digits,
    ),
    digits,
  };
}

export function unpackRuns({ column }: PackedRuns): RunResult[] {
  return (valuesOf(column) as Omit<RunResult, 'uncertainty'>[]).map((run) => ({ ...run, uncertainty: null }));
}
