import { label } from '../input/leaves.ts';
import { nearest, type Path, quote } from '../input/words.ts';
import {
  type Cell,
  cellsOf,
  excludedCells,
  type Factor,
  isPartOf,
  type Level,
  listFactors,
  type Written,
} from './matrix.ts';
import type { MatrixFile } from './matrix-schema.ts';
import type { VariantFile } from './variant-schema.ts';

export interface MatrixProblem {
  readonly path: Path;
  readonly detail: string;
}

/** Maximum number of cells that are enumerated: more can't be measured. */
const MAX_CELLS = 10_000;

/** Problems of the matrix itself: its levels, names, exclusions, and keys given by two factors. */
export function matrixProblems(matrix: MatrixFile, written: Written): MatrixProblem[] {
  const factors = listFactors(matrix, written);
  const problems = [
    ...factors.flatMap((factor) => levelProblems(factor, written)),
    ...excludeProblems(matrix, factors),
  ];
  if (factors.length === 0) {
    problems.push({ path: ['matrix'], detail: 'no factor was given; it must have at least one' });
  }
  const count = factors.reduce((product, { levels }) => product * levels.length, 1);
  if (count > MAX_CELLS) {
    const detail = `its levels make ${count.toLocaleString('en-US')} variants; leave out factors or levels`;
    problems.push({ path: ['matrix'], detail });
  }
  if (problems.length > 0) return problems;
  const cells = cellsOf(matrix, written);
  if (cells.length === 0) return [{ path: ['matrix', 'exclude'], detail: 'it leaves out every variant of the matrix' }];
  return [...nameProblems(cells), ...absentProblems(factors, cells), ...twiceProblems(factors, cells)];
}

function levelProblems({ name, levels }: Factor, { given }: Written): MatrixProblem[] {
  const path: Path = ['matrix', name];
  if (!label.safeParse(name).success) {
    return [
      { path, detail: `${quote(name)} cannot be the name of a factor; it must be 1 to 100 printable characters` },
    ];
  }
  if (levels.length === 0) return [{ path, detail: 'no level was given; it must have at least one' }];
  return levels.flatMap((level, i): MatrixProblem[] => {
    const raw = given(level.path);
    if (typeof level.path.at(-1) === 'number' && !['string', 'number', 'boolean'].includes(typeof raw)) {
      const detail = `it has no name that a variant could have; name the levels: ${name}: { first: { ${name}: … }, … }`;
      return [{ path: level.path, detail }];
    }
    if (levels.findIndex((other) => other.name === level.name) === i) return [];
    return [{ path: level.path, detail: `the level ${quote(level.name)} was given twice; leave one out` }];
  });
}

function excludeProblems(matrix: MatrixFile, factors: readonly Factor[]): MatrixProblem[] {
  const exclude = excludedCells(matrix, factors);
  return exclude.flatMap((cell, i): MatrixProblem[] => {
    const path: Path = ['matrix', 'exclude', i];
    if (Object.keys(cell).length === 0) return [{ path, detail: 'it names no level, and so leaves out everything' }];
    const earlier = exclude.slice(0, i).find((other) => isPartOf(other, cell));
    if (earlier !== undefined) return [{ path, detail: 'what it leaves out was left out before; leave it out' }];
    return Object.entries(cell).flatMap(([name, level]): MatrixProblem[] => {
      const levels = factors.find((factor) => factor.name === name)?.levels.map((one) => one.name);
      const [what, given, known] =
        levels === undefined
          ? ['factor', name, factors.map((factor) => factor.name)]
          : [`level of ${quote(name)}`, level, levels];
      if (known.includes(given)) return [];
      const meant = nearest(given, known);
      const hint = meant === null ? `possible: ${known.map(quote).join(', ')}` : `did you mean ${quote(meant)}?`;
      return [{ path: [...path, name], detail: `${quote(given)} is no ${what}; ${hint}` }];
    });
  });
}

function nameProblems(cells: readonly Cell[]): MatrixProblem[] {
  const problems = cells.flatMap(({ name, levels }, i): MatrixProblem[] => {
    const path = levels.at(-1)?.path ?? ['matrix'];
    if (!label.safeParse(name).success) {
      const detail = `a variant would be named ${quote(name)}, which has more than 100 characters; give shorter names`;
      return [{ path, detail }];
    }
    if (cells.findIndex((other) => other.name === name) === i) return [];
    return [{ path, detail: `two variants would be named ${quote(name)}; rename a level` }];
  });
  return problems.slice(0, 1);
}

function absentProblems(factors: readonly Factor[], cells: readonly Cell[]): MatrixProblem[] {
  const there = new Set(cells.flatMap(({ levels }) => levels.map(({ path }) => path.join('\0'))));
  return factors
    .flatMap(({ levels }) => levels)
    .filter(({ path }) => !there.has(path.join('\0')))
    .map(({ name, path }) => ({ path, detail: `exclude leaves no variant with ${quote(name)}; leave the level out` }));
}

/** Reports a key that levels of two factors give: its value would be ambiguous. Variables may come from several levels. */
function twiceProblems(factors: readonly Factor[], cells: readonly Cell[]): MatrixProblem[] {
  const factorOf = (level: Level) => factors.find(({ levels }) => levels.includes(level))?.name ?? '';
  const all = factors.flatMap(({ levels }) => levels);
  return all.flatMap((second, j) =>
    all.slice(0, j).flatMap((first) => {
      const twice = givenTwice(first.variant, second.variant);
      if (twice.length === 0 || factorOf(first) === factorOf(second)) return [];
      const has = ({ levels }: Cell, { path }: Level) =>
        levels.some((level) => level.path.join('\0') === path.join('\0'));
      const cell = cells.find((one) => has(one, first) && has(one, second));
      if (cell === undefined) return [];
      return twice.map((keys) => ({
        path: typeof second.path.at(-1) === 'number' ? second.path : [...second.path, ...keys],
        detail: `${keys.join('.')} was given here and in ${quote(first.name)} of ${quote(factorOf(first))}, which ${quote(cell.name)} combines; give it in one factor only`,
      }));
    }),
  );
}

function givenTwice(a: VariantFile, b: VariantFile): string[][] {
  const shared = Object.keys(a).filter((key) => Object.hasOwn(b, key));
  return shared.flatMap((key) => {
    if (key !== 'env' || !a.env || !b.env) return [[key]];
    const { env } = b;
    return Object.keys(a.env).flatMap((name) => (Object.hasOwn(env, name) ? [['env', name]] : []));
  });
}
