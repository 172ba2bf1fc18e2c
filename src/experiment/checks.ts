import { nearest, type Path, quote, showGiven } from '../input/words.ts';
import { factorConflicts } from './factor-checks.ts';
import { type GivenVariant, givenVariants } from './factors.ts';
import { costConflicts, thresholdConflicts } from './goal-checks.ts';
import type { CheckedFile } from './schema.ts';
import { CONTAINER_KEYS } from './variant-schema.ts';

/** Something that is wrong between keys that are right on their own. */
export interface Conflict {
  /** Where it is shown. */
  readonly path: Path;
  readonly part?: 'key' | 'value';
  readonly detail: string;
  /** The values that it follows from: if one of them is wrong itself, this is not told. */
  readonly follows: readonly Path[];
}

/** `given`: what the user wrote at a path, for messages. */
export function findConflicts(file: CheckedFile, given: (path: Path) => unknown): Conflict[] {
  const conflicts = factorConflicts(file, given);
  const variants = givenVariants(file);
  const names = variants.map(({ name }) => name);
  conflicts.push(...variants.flatMap((variant) => variantConflicts(file, variant, given)));
  if (file.variants !== undefined && names.length < 2) {
    const detail = `${names.length === 0 ? 'no variant' : `only ${quote(names[0] ?? '')}`} was given; a comparison needs at least two variants`;
    conflicts.push({ path: ['variants'], part: 'key', detail, follows: [['variants']] });
  }
  if (names.length > MOST_VARIANTS) {
    const detail = `${names.length} variants were given; it must be ${MOST_VARIANTS} at most`;
    conflicts.push({ path: ['variants'], part: 'key', detail, follows: [['variants']] });
  }
  if (file.baseline !== undefined && names.length > 0 && !names.includes(file.baseline)) {
    const meant = nearest(file.baseline, names);
    const possible =
      meant === null ? `it must be one of ${names.map(quote).join(', ')}` : `did you mean ${quote(meant)}?`;
    const detail = `${quote(file.baseline)} was given, which is no variant; ${possible}`;
    conflicts.push({ path: ['baseline'], detail, follows: [['baseline'], ['variants'], ['factors']] });
  }
  if (file.batch === 'auto' && file.warmup.runs === 0) {
    const detail =
      '"auto" was given, and without a warm-up there is nothing to find the number from; give warmup.runs of 1 or more, or a number';
    conflicts.push({ path: ['batch'], detail, follows: [['batch'], ['warmup'], ['warmup', 'runs']] });
  }
  const native = variants.filter(({ variant }) => variant.image === undefined && variant.build === undefined);
  const only = file.factors === undefined && native.length === 1 ? native[0]?.name : undefined;
  conflicts.push(...costConflicts(file), ...thresholdConflicts(file, names, file.baseline ?? only));
  if (file.guard > file.rest) conflicts.push(guardConflict(file, given));
  if (file.history !== undefined) conflicts.push(...historyConflicts(file.history));
  // What is wrong with a level is wrong in both of its combinations.
  return conflicts.filter((one, i) => conflicts.findIndex((other) => isSame(one, other)) === i);
}

function isSame(a: Conflict, b: Conflict): boolean {
  return a.detail === b.detail && a.path.join('\0') === b.path.join('\0');
}

const MOST_VARIANTS = 26;

function historyConflicts({ file, branch, track }: NonNullable<CheckedFile['history']>): Conflict[] {
  const path: Path = ['history'];
  const follows: Path[] = [path, [...path, 'file'], [...path, 'branch'], [...path, 'track']];
  if (file === undefined && branch === undefined) {
    const detail = 'it names no place; give file, a path on this runner, or branch, a branch of the repository';
    return [{ path, part: 'key', detail, follows }];
  }
  if (file !== undefined && branch !== undefined) {
    const detail = 'file and branch were both given; keep the one where the history lies';
    return [{ path: [...path, 'branch'], part: 'key', detail, follows }];
  }
  if (branch === undefined || branch !== track) return [];
  const detail = `${quote(branch)} is given as the branch that is tracked too; the history needs a branch of its own`;
  return [{ path: [...path, 'branch'], detail, follows }];
}

function guardConflict(file: CheckedFile, given: (path: Path) => unknown): Conflict {
  const rest = given(['rest']) === undefined ? `${file.rest} s, the default` : showGiven(given(['rest']));
  const follows: Path[] = [['guard'], ['rest']];
  if (given(['guard']) === undefined) {
    const detail = `${rest} was given, shorter than the guard (${file.guard} s, the default), which lies inside the rest; give a longer rest or a shorter guard`;
    return { path: ['rest'], detail, follows };
  }
  const detail = `${showGiven(given(['guard']))} was given, longer than the rest (${rest}) that it lies in; give a shorter guard or a longer rest`;
  return { path: ['guard'], detail, follows };
}

function variantConflicts(
  file: CheckedFile,
  { name, variant, who, pathOf }: GivenVariant,
  given: (path: Path) => unknown,
): Conflict[] {
  const here = pathOf();
  const kind: Path[] = [pathOf('image'), pathOf('build')];
  const conflicts: Conflict[] = [];
  const add = (path: Path, detail: string, follows: Path[], part: 'key' | 'value' = 'key') => {
    conflicts.push({ path, part, detail, follows: [here, ...follows] });
  };
  const isContainer = variant.image !== undefined || variant.build !== undefined;
  if (variant.image !== undefined && variant.build !== undefined) {
    add(pathOf('build'), 'image and build were both given; keep the one that the image comes from', kind);
  }
  if (!isContainer) {
    for (const key of CONTAINER_KEYS.filter((candidate) => variant[candidate] !== undefined)) {
      const detail = `${key} is for containers, and without image or build ${who} runs on the host; give an image or leave ${key} out`;
      add(pathOf(key), detail, kind);
    }
  }
  if (variant.build !== undefined && variant.pull !== undefined) {
    add(pathOf('pull'), `pull is for an image, and ${who} builds its own; leave pull out`, kind);
  }
  if ((variant.run ?? file.workload.run) === undefined) {
    const detail = 'there is no command to run; give workload.run, or run here';
    add(here, detail, [['workload', 'run'], ['workload'], pathOf('run')]);
  }
  if (isContainer) {
    const own = variant.workdir !== undefined;
    const workdir = own ? variant.workdir : file.workload.workdir;
    if (typeof workdir === 'string' && !workdir.startsWith('/')) {
      const path = own ? pathOf('workdir') : ['workload', 'workdir'];
      const where = own ? 'in a container' : `for the container ${quote(name)}`;
      const detail = `${quote(workdir)} was given; ${where} it must start with "/"${own ? '' : ', or that variant needs a workdir of its own'}`;
      add(path, detail, [path, ...kind], 'value');
    }
  }
  const targets = (variant.volumes ?? []).map((volume) => volume.split(':')[1]);
  for (const [i, target] of targets.entries()) {
    if (targets.indexOf(target) !== i) {
      const path = pathOf('volumes', i);
      const detail = `${showGiven(given(path))} was given, and ${quote(target ?? '')} in the container is taken already`;
      add(path, detail, [pathOf('volumes')], 'value');
    }
  }
  return conflicts;
}
