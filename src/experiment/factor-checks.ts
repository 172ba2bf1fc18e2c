import { type Path, showGiven } from '../input/words.ts';
import type { Conflict } from './checks.ts';
import { factorProblems } from './factors.ts';
import type { CheckedFile } from './schema.ts';

/** What is wrong with the factors, and between them and other keys. */
export function factorConflicts(file: CheckedFile, given: (path: Path) => unknown): Conflict[] {
  const { variants, factors, repetitions } = file;
  const either: Path[] = [['variants'], ['factors']];
  if (factors === undefined) {
    if (variants !== undefined) return [];
    const detail = `${showGiven(given(['variants']))} was given; it must be a map of names and variants, such as { native: {}, container: { image: debian } }, or give factors`;
    return [{ path: ['variants'], detail, follows: either }];
  }
  const conflicts = factorProblems(factors).map(
    ({ path, detail }): Conflict => ({ path, part: 'key', detail, follows: [path] }),
  );
  if (variants !== undefined) {
    const detail = 'variants and factors were both given, and factors make variants of their own; keep one of them';
    conflicts.push({ path: ['factors'], part: 'key', detail, follows: either });
  }
  if (typeof repetitions !== 'number') {
    const detail =
      'looks were given together with factors, and could end the experiment before its interaction is known; give a number';
    conflicts.push({ path: ['repetitions', 'looks'], part: 'key', detail, follows: [['repetitions'], ['factors']] });
  }
  return conflicts;
}
