import { InputError } from '../errors.ts';
import type { ExperimentFile } from './schema.ts';
import { nameOf, oneLine, parseSuite } from './suite.ts';

/** A comparison given on the command line: several commands, or one command in several places or at two commits. */
export interface Comparison {
  /** Shell commands, at least one. */
  readonly commands: readonly string[];
  readonly native: boolean;
  /** Image references. */
  readonly images: readonly string[];
  /** Folder with a Dockerfile to build; null: no image is built. */
  readonly build: string | null;
  /** Revision to compare HEAD with; null: the files as they are on disk. */
  readonly base: string | null;
  /** Whether the working tree, with uncommitted changes, is compared with `base` instead of HEAD. */
  readonly worktree: boolean;
  /** Names of the variants in order; variants without one get a name from their command. */
  readonly names?: readonly string[];
  /** Harness of a suite that replaces the commands, optionally with its target; absent: there is no suite. */
  readonly suite?: string;
}

interface Place {
  readonly name: string;
  readonly variant: VariantFile;
}

type VariantFile = NonNullable<ExperimentFile['variants']>[string];

/** The equivalent experiment file; the first one named is the baseline. Throws InputError if there is nothing to compare, or too much. */
export function comparisonFile(comparison: Comparison): ExperimentFile {
  const { commands, base, worktree, names = [], suite } = comparison;
  const what =
    suite === undefined
      ? { workload: { run: commands[0] ?? '' } }
      : { suite: parseSuite(suite) as ExperimentFile['suite'] };
  if (suite !== undefined && commands.length > 0) {
    throw new InputError('A command and --suite were both given; a suite has commands of its own.', {
      advice: 'Leave out one of them.',
    });
  }
  if (worktree && base === null) {
    throw new InputError(
      '--worktree was given without --base, so there is no commit to compare the working tree with.',
      {
        advice: 'Add --base HEAD for the last commit.',
      },
    );
  }
  if (comparison.images.includes(''))
    throw new InputError('--image needs the name of an image, and nothing was given.');
  const places = placesOf(comparison);
  const [place] = places as [Place];
  const [run = ''] = commands;
  if (commands.length > 1) {
    const and = places.length > 1 ? `${places.length} places` : base === null ? null : 'two commits';
    if (and !== null) {
      throw new InputError(`${commands.length} commands and ${and} were given; compare varies one thing.`, {
        advice: 'Leave out one of the two, or write an experiment file with a matrix, which varies two at once.',
      });
    }
    const short = shortNames(commands.map(oneLine));
    const variants = commands.map((run, i) => ({ name: short[i] as string, variant: { ...place.variant, run } }));
    return fileOf({}, names, variants);
  }
  if (base === null) {
    if (places.length > 1) return fileOf(what, names, places);
    throw new InputError(`Only ${suite ?? JSON.stringify(run)} was given, and nothing to compare it with.`, {
      advice:
        'Give another command; or places with --native, --image NAME and --build DIR; or a revision with --base REV.',
    });
  }
  if (places.length > 1 || comparison.images.length > 0) {
    throw new InputError(
      `--base ${base} compares two commits in one place, natively or with --build, and ${places.map(({ name }) => name).join(', ')} ${places.length === 1 ? 'was' : 'were'} given.`,
      {
        advice:
          comparison.images.length > 0
            ? 'An image has the same files at every commit: build it with --build DIR.'
            : 'Leave out one of the places, or write an experiment file with a matrix, which varies two things at once.',
      },
    );
  }
  const at = (revision: string): Place => ({ name: revision, variant: { ...place.variant, revision } });
  const changed = { name: 'working tree', variant: place.variant };
  return fileOf(what, names, [at(base), worktree ? changed : at('HEAD')]);
}

/** Commands of at most so many characters are their own names. */
const SHORT_NAME = 32;

/** Names of commands. Of long ones, the words that all begin or end with are left out, but for the one beside what differs: `… --mode fast`. */
function shortNames(commands: readonly string[]): string[] {
  const isShort = commands.every((command) => command.length <= SHORT_NAME);
  if (isShort || new Set(commands).size === 1) return commands.map(nameOf);
  const all = commands.map((command) => command.split(' '));
  const fewest = Math.min(...all.map((words) => words.length));
  const isShared = (i: number): boolean => all.every((words) => words.at(i) === all[0]?.at(i));
  let [before, after] = [0, 0];
  while (before < fewest && isShared(before)) before++;
  while (before + after < fewest && isShared(-1 - after)) after++;
  const [dropped, cut] = [Math.max(0, before - 1), Math.max(0, after - 1)];
  return all.map((words) =>
    nameOf([...(dropped > 0 ? ['…'] : []), ...words.slice(dropped, words.length - cut), ...(cut > 0 ? ['…'] : [])]),
  );
}

/** Places in the order of the help. A single container place is compared with the host. */
function placesOf({ commands, native, images, build, base }: Comparison): Place[] {
  const containers: Place[] = [
    ...images.map((image) => ({ name: image, variant: { image } })),
    ...(build === null ? [] : [{ name: `build ${build}`, variant: { build: { context: build } } }]),
  ];
  const host = { name: 'native', variant: {} };
  const againstHost = containers.length === 1 && commands.length <= 1 && base === null;
  return native || againstHost || containers.length === 0 ? [host, ...containers] : containers;
}

function fileOf(
  what: Pick<ExperimentFile, 'workload' | 'suite'>,
  given: readonly string[],
  named: readonly Place[],
): ExperimentFile {
  if (given.length > named.length) {
    throw new InputError(
      `${given.length} names were given with --command-name, and ${named.length} things are compared.`,
    );
  }
  const names = uniqueNames(named.map(({ name }, i) => given[i] ?? name));
  return {
    ...what,
    variants: Object.fromEntries(named.map(({ variant }, i) => [names[i], variant])),
    baseline: names[0],
  };
}

/** Makes names unique: a name that is already taken gets the first number that is free. */
function uniqueNames(names: readonly string[]): string[] {
  const given = new Set(names);
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 2; taken.has(unique) || (unique !== name && given.has(unique)); n++) unique = `${name} (${n})`;
    taken.add(unique);
    return unique;
  });
}
