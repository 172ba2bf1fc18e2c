import { type Path, quote } from '../input/words.ts';
import type { FactorDesign, FactorialDesign } from './experiment.ts';
import { cellName, type MatrixFile } from './matrix-schema.ts';
import { inOrder } from './order.ts';
import type { CheckedFile } from './schema.ts';
import type { VariantFile } from './variant-schema.ts';

/** What parsing loses: the order of the keys of a map, and the raw value at a path. */
export interface Written {
  order(path: Path): readonly string[];
  given(path: Path): unknown;
}

/** A variant of the file, written out or combined from levels. */
export interface GivenVariant {
  readonly name: string;
  readonly variant: VariantFile;
  /** Subject of a message about one of its keys. */
  readonly who: string;
  /** Alternative to correcting a key, for a message; empty for a written variant. */
  readonly otherwise: string;
  /** Path in the file of a key of this variant, present or not. */
  pathOf(...keys: Path): Path;
}

export interface Level {
  /** Name of the level in `exclude`. */
  readonly name: string;
  /** Label in the names of variants and in the report. */
  readonly label: string;
  readonly variant: VariantFile;
  readonly path: Path;
}

export interface Factor {
  readonly name: string;
  readonly levels: readonly Level[];
}

export interface Cell extends GivenVariant {
  /** One level of each factor. */
  readonly levels: readonly Level[];
}

/** All variants of a file, written out or combined. */
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

type LevelNames = Readonly<Record<string, string>>;

/** Whether all levels that `cell` names are also in `whole`. */
export function isPartOf(cell: LevelNames, whole: LevelNames): boolean {
  return Object.entries(cell).every(([factor, level]) => whole[factor] === level);
}

/** The cells that are left out, by the names that the levels have; unknown ones as they were given. */
export function excludedCells({ exclude = [] }: MatrixFile, factors: readonly Factor[]): LevelNames[] {
  return exclude.map((cell) =>
    Object.fromEntries(
      Object.entries(cell).map(([name, given]) => [
        name,
        levelName(
          String(given),
          factors.find((one) => one.name === name),
        ),
      ]),
    ),
  );
}

/** A value of a list may be written differently in `exclude`: 2.50 is 2.5. */
function levelName(given: string, factor: Factor | undefined): string {
  const same = factor?.levels.find(({ name, variant, path }) => {
    if (name === given || typeof path.at(-1) !== 'number') return name === given;
    const type = typeof Object.values(variant)[0];
    return type === 'number' ? name === String(Number(given)) : type === 'boolean' && name === given.toLowerCase();
  });
  return same?.name ?? given;
}

export function cellsOf(matrix: MatrixFile, written: Written): Cell[] {
  const factors = listFactors(matrix, written);
  const combined = factors.reduce<Level[][]>(
    (cells, { levels }) => cells.flatMap((cell) => levels.map((level) => [...cell, level])),
    [[]],
  );
  const nameOf = (levels: readonly Level[]) =>
    Object.fromEntries(levels.map(({ name }, i) => [factors[i]?.name ?? '', name]));
  const excluded = excludedCells(matrix, factors);
  const kept = combined.filter((levels) => !excluded.some((cell) => isPartOf(cell, nameOf(levels))));
  // Factors with a single level don't distinguish cells, so names leave them out.
  const telling = factors.map(({ levels }) => levels.length > 1);
  return kept.map((levels): Cell => {
    const reported = telling.includes(true) ? levels.filter((_, i) => telling[i]) : levels;
    const name = cellName(...reported.map((level) => level.label));
    return {
      name,
      levels,
      variant: levels.reduce<VariantFile>((all, { variant }) => merged(all, variant), {}),
      who: `the variant ${quote(name)}`,
      otherwise: ', or exclude this combination',
      pathOf(...keys) {
        const level = levels.findLast(({ variant }) => keys[0] !== undefined && Object.hasOwn(variant, keys[0]));
        const { path } = level ?? reported[0] ?? { path: ['matrix'] };
        // Each item of a list is itself the value of the factor's key.
        return typeof path.at(-1) === 'number' ? [...path, ...keys.slice(1)] : [...path, ...keys];
      },
    };
  });
}

export function listFactors(matrix: MatrixFile, written: Written): Factor[] {
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

/** Levels from a list of values. Labels of numbers and switches include the factor's name; those of paths are only the last part. */
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

/** Combines two levels; their variables are merged. */
function merged(a: VariantFile, b: VariantFile): VariantFile {
  const both = { ...a, ...b };
  return a.env && b.env ? { ...both, env: { ...a.env, ...b.env } } : both;
}

/** The design of a valid matrix, with the baseline's levels first; null: fewer than two factors vary. */
export function factorialDesign(matrix: MatrixFile, written: Written, baseline: string): FactorialDesign | null {
  const cells = cellsOf(matrix, written);
  const first = cells.find(({ name }) => name === baseline)?.levels;
  const varying = listFactors(matrix, written).flatMap((factor, i) =>
    factor.levels.length > 1 ? [{ factor, i }] : [],
  );
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
