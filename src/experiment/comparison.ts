import { InputError } from '../errors.ts';
import type { ExperimentFile } from './schema.ts';
import { suiteOf } from './suite.ts';

/** A comparison in one line: commands against each other, or one command in several places, or at two commits. */
export interface Comparison {
  /** As a shell takes them; one at least. */
  readonly commands: readonly string[];
  readonly native: boolean;
  /** References of images. */
  readonly images: readonly string[];
  /** Folder with a Dockerfile; null: no image is built. */
  readonly build: string | null;
  /** Revision that HEAD is compared with; null: the files as they lie there. */
  readonly base: string | null;
  /** The working tree is compared with `base` in the place of HEAD, with changes that are not committed. */
  readonly worktree: boolean;
  /** What the first, second, … are called; those without one get a name by themselves. */
  readonly names?: readonly string[];
  /** Harness of a suite in the place of commands, perhaps with its target; absent: there is none. */
  readonly suite?: string;
}

interface Place {
  readonly name: string;
  readonly variant: VariantFile;
}

type VariantFile = NonNullable<ExperimentFile['variants']>[string];

/** The experiment file that it stands for; the baseline is what was named first. Throws InputError where nothing is left to compare, or too much. */
export function comparisonFile(comparison: Comparison): ExperimentFile {
  const { commands, base, worktree, names = [], suite } = comparison;
  const what =
    suite === undefined
      ? { workload: { run: commands[0] ?? '' } }
      : { suite: suiteOf(suite) as ExperimentFile['suite'] };
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
    return fileOf(
      {},
      names,
      commands.map((command) => ({ name: shorten(command), variant: { ...place.variant, run: command } })),
    );
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

/** In the order of the help. A single place in a container is compared with the host itself. */
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

const LONGEST_NAME = 60;

/** A name for tables and charts. */
function shorten(command: string): string {
  const line = command.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  return line.length <= LONGEST_NAME ? line : `${line.slice(0, LONGEST_NAME - 1).trimEnd()}…`;
}

/** A name that is taken already gets a number, the first that makes it another one. */
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
