import type * as z from 'zod';
import type { PlaceFacts, VariantBase } from '../contracts/variant.ts';
import type { Conflict } from '../input/conflict.ts';
import type { Path } from '../input/words.ts';
import type { IsAbandoned } from '../processes/owner.ts';
import type { Executor, ExecutorEnvironment } from './executor.ts';

/** Something that was inspected beforehand and is as it should be, or that a user should know. */
export interface Foreseen {
  readonly state: 'ok' | 'warn';
  /** The rest of a sentence, without its full stop. */
  readonly text: string;
}

/** Keys of a variant in the experiment file, each of which may be left out. */
export type PlaceKeys = Readonly<Record<string, z.ZodType>>;

/**
 * A kind of place that workloads run in. What the program knows of it stands in its folder and in its line of the registry: nothing else asks
 * which kind a variant is of. Loading a descriptor loads none of what runs a workload, since whoever only reads a file doesn't need it.
 */
export interface PlaceKind<V extends VariantBase = VariantBase, Keys extends PlaceKeys = PlaceKeys> {
  /** Its name in the database and in findings. */
  readonly name: V['kind'];
  /** What a person calls several of them, as in "network is for containers". */
  readonly plural: string;
  /** Where a variant of it runs, as in "this variant runs on the host". */
  readonly where: string;
  /** Its processes are the host's own: their programs and files lie there, and can be inspected before anything starts. */
  readonly isHost?: true;
  /** Whether what runs there can be held to processors and a nice value. */
  readonly holdsPins?: true;
  /** Keys of the experiment file that it can't honour, and that are refused beside it. */
  readonly refuses?: readonly ('services' | 'phases' | 'explain' | 'output')[];
  /** Whether hooks can run there. */
  readonly runsHooks?: true;
  /** Its part of the schema of a variant: the options that it has. */
  readonly keys: Keys;
  /** Any of these makes a variant one of this kind; none: it is the kind of variants that no other one claims. */
  readonly selectedBy: readonly (keyof Keys & string)[];
  /** What to give for it, as in "give an image". */
  readonly advice: string;
  /** Whether it starts services by itself, so that a client on the host has something to talk to; absent: it doesn't. */
  readonly bringsServices?: true;
  /** The command that is there where none is given: when there is one, and what to give for it; absent: there never is one. */
  readonly ownCommand?: { readonly isThere: (given: GivenKeys<Keys>) => boolean; readonly advice: string };
  /** What is wrong between its keys, and between them and the workload. */
  conflicts(given: GivenPlace<Keys>): Conflict[];
  /** The variant with defaults filled in and host paths absolute; relative ones start at `directory`. */
  resolve(common: Omit<VariantBase, 'kind'>, file: GivenKeys<Keys>, directory: string): V;
  /** The variant with every path of the host changed by `moved`, as it is where the files are those of a checkout. */
  relocate(variant: V, moved: (path: string) => string): V;
  /** The variant with those values of its own kind exchanged that may be secret; the variables of its workload are exchanged already. */
  conceal(variant: V, conceal: Conceal): V;
  /** What a variant of it has beside what every variant has, as it is read back from a record. */
  readonly recorded: Readonly<Record<Exclude<keyof V, keyof VariantBase>, z.ZodType>>;
  /** Whether files of the host get into it; where none do, a revision changes nothing. */
  usesFiles(variant: V): boolean;
  /** Folders of the host, absolute, that it puts into what is otherwise kept from the host; none where it keeps nothing. */
  exposes(variant: V): readonly string[];
  /** Ports of the host that it takes while something in it listens on these TCP ports. */
  hostPorts(variant: V, listened: readonly number[]): readonly number[];
  /** User of the host that the workload of a variant runs as; absent, or undefined: nobody else than who started joulediff. */
  hostUser?(variant: V): string | undefined;
  /** Whether Docker's engine is stopped while a variant runs; absent: never. */
  stopsEngine?(variant: V): boolean;
  /** The network of a variant's workload, in words that two places can be compared by (`facts`: of its place); absent: it is seen in the place. */
  network?(variant: V, facts: PlaceFacts): string;
  /** Paths in the place that something is mounted at; absent: none. */
  mounts?(variant: V): readonly string[];
  /** What can be known before a variant of it is set up; null: nothing. `passEnv`: the caller's variables that workloads get. Starts and changes nothing. Throws InputError and MeasureError. */
  foresee(variant: V, passEnv: readonly string[]): Promise<Foreseen | null>;
  makeExecutor(variant: V, environment: ExecutorEnvironment): Promise<Executor>;
  /**
   * Removes what killed processes left of it, and what it has kept too long; never what an experiment that goes on was begun with (`needed`: the facts
   * of its places). Gives a line for the log for each thing removed, or that could not be.
   */
  removeLeft(isAbandoned: IsAbandoned, needed: readonly PlaceFacts[]): Promise<string[]>;
}

/** What a file gives under the keys of a kind, each right by itself. */
export type GivenKeys<Keys extends PlaceKeys> = { readonly [K in keyof Keys]?: z.output<Keys[K]> };

/** A variant as the file gives it. */
export interface GivenPlace<Keys extends PlaceKeys = PlaceKeys> {
  readonly name: string;
  readonly file: GivenKeys<Keys>;
  /** Subject of a sentence beside one of its keys. */
  readonly who: string;
  /** Its own working directory, or else the workload's. */
  readonly workdir: { readonly value: string | null | undefined; readonly path: Path; readonly isOwn: boolean };
  /** Where a key of it stands, or would stand. */
  pathOf(...keys: Path): Path;
  /** What the user wrote at a path. */
  given(path: Path): unknown;
}

/** What stands in the record for a value; `place` tells it from others of the variant. */
export type Conceal = (value: string, ...place: readonly string[]) => string;

export function concealEach(
  values: Readonly<Record<string, string>>,
  conceal: (value: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, conceal(value, name)]));
}
