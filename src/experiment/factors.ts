import { label } from '../input/leaves.ts';
import { type Path, quote } from '../input/words.ts';
import type { FactorDesign, FactorialDesign } from './experiment.ts';
import type { CheckedFile } from './schema.ts';
import type { VariantFile } from './variant-schema.ts';

type Factors = NonNullable<CheckedFile['factors']>;
type Order = (path: Path) => readonly string[];

/** A variant as the file gives it, by itself or as a combination of two levels. */
export interface GivenVariant {
  readonly name: string;
  readonly variant: VariantFile;
  /** Subject of a sentence beside one of its keys. */
  readonly who: string;
  /** Where a key of it stands, or would stand. */
  pathOf(...keys: Path): Path;
}

export interface LevelProblem {
  readonly path: Path;
  readonly detail: string;
}

/**
 * A cell's name: easy to type (`--set baseline=head/container` needs no quotes in YAML or a shell), read from left to right, and cut at
 * the "/" where a label has to be short.
 */
export function cellName(first: string, second: string): string {
  return `${first}/${second}`;
}

/** What is wrong with the factors as such: their number, their levels, a key that both give. Empty: there are four cells. */
export function factorProblems(factors: Factors): LevelProblem[] {
  const names = Object.keys(factors);
  const problems: LevelProblem[] = [];
  const refuse = (path: Path, detail: string) => problems.push({ path, detail });
  if (names.length !== 2) refuse(['factors'], `${counted(names, 'factor')}; it must be two factors`);
  for (const name of names) {
    const levels = Object.keys(factors[name] ?? {});
    if (levels.length !== 2) refuse(['factors', name], `${counted(levels, 'level')}; it must be two levels`);
  }
  if (problems.length > 0) return problems;
  const cells = cellsOf(factors, () => []);
  for (const { name, levels, twice } of cells) {
    const path: Path = ['factors', names[1] as string, levels[1]];
    if (!label.safeParse(name).success) {
      refuse(path, `a variant would be named ${quote(name)}, which has more than 100 characters; give shorter names`);
    } else if (cells.some((other) => other.name === name && other.levels !== levels)) {
      refuse(path, `two variants would be named ${quote(name)}; rename a level`);
    }
    for (const keys of twice) {
      const detail = `${keys.join('.')} was given here and in ${quote(levels[0])} of ${quote(names[0] as string)}, which ${quote(name)} combines; give it in one factor only`;
      refuse([...path, ...keys], detail);
    }
  }
  return problems;
}

function counted(names: readonly string[], noun: string): string {
  const given =
    names.length === 0 ? `no ${noun} was` : `${names.length} ${noun}${names.length === 1 ? ' was' : 's were'}`;
  return `${given} given${names.length > 0 && names.length <= 5 ? ` (${names.map(quote).join(', ')})` : ''}`;
}

/** The variants of a file, written or combined; none while the factors have problems. */
export function givenVariants({ variants, factors }: Pick<CheckedFile, 'variants' | 'factors'>): GivenVariant[] {
  if (factors !== undefined) return factorProblems(factors).length > 0 ? [] : cellsOf(factors, () => []);
  return Object.entries(variants ?? {}).map(([name, variant]) => ({
    name,
    variant: variant ?? {},
    who: 'this variant',
    pathOf: (...keys) => ['variants', name, ...keys],
  }));
}

interface Cell extends GivenVariant {
  readonly levels: readonly [string, string];
  /** Keys that both levels give. */
  readonly twice: readonly (readonly string[])[];
}

/** The four variants of factors without problems. `order`: the keys of a map as they were written. */
export function cellsOf(factors: Factors, order: Order): Cell[] {
  const [first, second] = designs(factors, order);
  return first.levels.flatMap((a) =>
    second.levels.map((b) => {
      const paths: [Path, Path] = [
        ['factors', first.name, a],
        ['factors', second.name, b],
      ];
      const own = factors[first.name]?.[a] ?? {};
      const other = factors[second.name]?.[b] ?? {};
      const name = cellName(a, b);
      return {
        name,
        levels: [a, b],
        variant: merged(own, other),
        twice: givenTwice(own, other),
        who: `the variant ${quote(name)}`,
        pathOf: (...keys) => [...(has(other, keys) && !has(own, keys) ? paths[1] : paths[0]), ...keys],
      };
    }),
  );
}

/** The factors with the baseline's levels first; `baseline` null: as they were written. */
export function factorialDesign(factors: Factors, order: Order, baseline: string | null): FactorialDesign {
  const [first, second] = designs(factors, order);
  const [a, b] = cellsOf(factors, order).find(({ name }) => name === baseline)?.levels ?? [];
  const ordered: FactorialDesign['factors'] = [startingWith(first, a), startingWith(second, b)];
  const row = (level: string): [string, string] => [
    cellName(level, ordered[1].levels[0]),
    cellName(level, ordered[1].levels[1]),
  ];
  return { factors: ordered, cells: [row(ordered[0].levels[0]), row(ordered[0].levels[1])] };
}

function designs(factors: Factors, order: Order): [FactorDesign, FactorDesign] {
  const [first = '', second = ''] = written(Object.keys(factors), order(['factors']));
  const design = (name: string): FactorDesign => {
    const [a = '', b = ''] = written(Object.keys(factors[name] ?? {}), order(['factors', name]));
    return { name, levels: [a, b] };
  };
  return [design(first), design(second)];
}

function startingWith({ name, levels: [a, b] }: FactorDesign, level: string | undefined): FactorDesign {
  return { name, levels: level === b ? [b, a] : [a, b] };
}

/** JavaScript puts keys that look like numbers first; people don't. */
export function written(names: readonly string[], order: readonly string[]): string[] {
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return names.toSorted((a, b) => place(a) - place(b));
}

/** Variables may come from both levels, as long as they are different ones. */
function merged(a: VariantFile, b: VariantFile): VariantFile {
  const both = { ...a, ...b };
  return a.env && b.env ? { ...both, env: { ...a.env, ...b.env } } : both;
}

function givenTwice(a: VariantFile, b: VariantFile): string[][] {
  const shared = Object.keys(a).filter((key) => Object.hasOwn(b, key));
  return shared.flatMap((key) => {
    if (key !== 'env' || !a.env || !b.env) return [[key]];
    const { env } = b;
    return Object.keys(a.env).flatMap((name) => (Object.hasOwn(env, name) ? [['env', name]] : []));
  });
}

function has(level: VariantFile, [key]: Path): boolean {
  return key !== undefined && Object.hasOwn(level, key);
}
