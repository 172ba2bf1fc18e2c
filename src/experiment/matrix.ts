import { type Path, quote } from '../input/words.ts';
import type { FactorDesign, FactorialDesign } from './experiment.ts';
import { cellName, type MatrixFile } from './matrix-schema.ts';
import type { CheckedFile } from './schema.ts';
import type { VariantFile } from './variant-schema.ts';

/** What the user wrote: the order of the keys of a map, and a value as it stood there. */
export interface Written {
  order(path: Path): readonly string[];
  given(path: Path): unknown;
}

/** A variant as the file gives it, by itself or as a combination of levels. */
export interface GivenVariant {
  readonly name: string;
  readonly variant: VariantFile;
  /** Subject of a sentence beside one of its keys. */
  readonly who: string;
  /** What may be done beside mending a key; empty for a variant by itself. */
  readonly otherwise: string;
  /** Where a key of it stands, or would stand. */
  pathOf(...keys: Path): Path;
}

export interface Level {
  /** As `exclude` names it. */
  readonly name: string;
  /** In the names of variants and in the report. */
  readonly label: string;
  readonly variant: VariantFile;
  readonly path: Path;
}

export interface Factor {
  readonly name: string;
  readonly levels: readonly Level[];
}

export interface Cell extends GivenVariant {
  /** One of each factor. */
  readonly levels: readonly Level[];
}

/** The variants of a file, written or combined. */
export function givenVariants(file: Pick<CheckedFile, 'variants' | 'matrix'>, written: Written): GivenVariant[] {
  const own = Object.entries(file.variants ?? {}).map(
    ([name, variant]): GivenVariant => ({
      name,
      variant: variant ?? {},
      who: 'this variant',
      otherwise: '',
      pathOf: (...keys) => ['variants', name, ...keys],
    }),
  );
  const ordered = inOrder(own, ({ name }) => name, written.order(['variants']));
  return file.matrix === undefined ? ordered : [...ordered, ...cellsOf(file.matrix, written)];
}

/** Whether all that `cell` names is what `whole` names, too. */
export function isPartOf(cell: Readonly<Record<string, unknown>>, whole: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(cell).every(([factor, level]) => String(whole[factor]) === String(level));
}

export function cellsOf(matrix: MatrixFile, written: Written): Cell[] {
  const factors = factorsOf(matrix, written);
  const combined = factors.reduce<Level[][]>(
    (cells, { levels }) => cells.flatMap((cell) => levels.map((level) => [...cell, level])),
    [[]],
  );
  const nameOf = (levels: readonly Level[]) =>
    Object.fromEntries(levels.map(({ name }, i) => [factors[i]?.name, name]));
  const kept = combined.filter((levels) => !(matrix.exclude ?? []).some((cell) => isPartOf(cell, nameOf(levels))));
  // What all have in common tells none from the others.
  const telling = factors.map(({ levels }) => levels.length > 1);
  return kept.map((levels): Cell => {
    const told = telling.includes(true) ? levels.filter((_, i) => telling[i]) : levels;
    const name = cellName(...told.map((level) => level.label));
    return {
      name,
      levels,
      variant: levels.reduce<VariantFile>((all, { variant }) => merged(all, variant), {}),
      who: `the variant ${quote(name)}`,
      otherwise: ', or exclude this combination',
      pathOf(...keys) {
        const level = levels.findLast(({ variant }) => keys[0] !== undefined && Object.hasOwn(variant, keys[0]));
        const { path } = level ?? told[0] ?? { path: ['matrix'] };
        // The items of a list are the values of the key themselves.
        return typeof path.at(-1) === 'number' ? [...path, ...keys.slice(1)] : [...path, ...keys];
      },
    };
  });
}

export function factorsOf(matrix: MatrixFile, written: Written): Factor[] {
  const names = Object.keys(matrix).filter((name) => name !== 'exclude' && matrix[name] !== undefined);
  return inOrder(names, (name) => name, written.order(['matrix'])).map((name) => {
    const levels = matrix[name] ?? {};
    if (Array.isArray(levels)) return { name, levels: valueLevels(name, levels, written) };
    const own = levels as Readonly<Record<string, VariantFile | null>>;
    const ordered = inOrder(Object.keys(own), (level) => level, written.order(['matrix', name]));
    return {
      name,
      levels: ordered.map((level) => ({
        name: level,
        label: level,
        variant: own[level] ?? {},
        path: ['matrix', name, level],
      })),
    };
  });
}

/** A number or a switch says nothing without what it is of; of the path of an image or a program, the end says enough. */
function valueLevels(factor: string, values: readonly unknown[], { given }: Written): Level[] {
  const levels = values.map((value, i) => {
    const path: Path = ['matrix', factor, i];
    const raw = given(path);
    const name = String(raw);
    const speaks = typeof raw === 'string' && /\p{L}/u.test(raw);
    return { name, label: speaks ? name : `${factor} ${name}`, variant: { [factor]: value } as VariantFile, path };
  });
  const short = levels.map(({ label }) =>
    /^\S+\/[^\s/]+$/.test(label) ? label.slice(label.lastIndexOf('/') + 1) : label,
  );
  return new Set(short).size < levels.length ? levels : levels.map((level, i) => ({ ...level, label: short[i] ?? '' }));
}

/** Variables may come from several levels, as long as they are different ones. */
function merged(a: VariantFile, b: VariantFile): VariantFile {
  const both = { ...a, ...b };
  return a.env && b.env ? { ...both, env: { ...a.env, ...b.env } } : both;
}

/** JavaScript puts keys that look like numbers first; people don't. */
function inOrder<T>(items: readonly T[], nameOf: (item: T) => string, order: readonly string[]): T[] {
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return items.toSorted((a, b) => place(nameOf(a)) - place(nameOf(b)));
}

/** The design of a matrix without problems, the baseline's levels first; null where fewer than two factors vary. */
export function factorialDesign(matrix: MatrixFile, written: Written, baseline: string): FactorialDesign | null {
  const cells = cellsOf(matrix, written);
  const first = cells.find(({ name }) => name === baseline)?.levels;
  const varying = factorsOf(matrix, written).flatMap((factor, i) => (factor.levels.length > 1 ? [{ factor, i }] : []));
  if (varying.length < 2) return null;
  return {
    factors: varying.map(({ factor, i }): FactorDesign => {
      const levels = factor.levels.map((level) => level.label);
      const own = first?.[i]?.label;
      return {
        name: factor.name,
        levels: own === undefined ? levels : [own, ...levels.filter((level) => level !== own)],
      };
    }),
    cells: cells.map(({ name, levels }) => ({
      variant: name,
      levels: varying.map(({ i }) => levels[i]?.label ?? ''),
    })),
  };
}
