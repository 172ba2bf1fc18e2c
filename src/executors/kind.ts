import type * as z from 'zod';
import type { PlaceFacts, VariantBase } from '../contracts/variant.ts';
import type { Conflict } from '../input/conflict.ts';
import type { Path } from '../input/words.ts';
import type { IsAbandoned } from '../processes/owner.ts';
import type { Executor, ExecutorEnvironment } from './executor.ts';

/** Result of an inspection: something is as it should be, or a user should know of it. */
export interface Foreseen {
  readonly state: 'ok' | 'warn';
  /** The rest of a sentence, without its full stop. */
  readonly text: string;
}

/** Keys of a variant in the experiment file, each of which may be left out. */
export type PlaceKeys = Readonly<Record<string, z.ZodType>>;

/**
 * A kind of place that workloads run in. All that the program knows of it is in its folder and in its line of the registry; nothing else asks for the
 * kind of a variant. Loading a descriptor loads nothing that runs workloads, which a program that only reads a file doesn't need.
 */
export interface PlaceKind<V extends VariantBase = VariantBase, Keys extends PlaceKeys = PlaceKeys> {
  /** Name in the database and in findings. */
  readonly name: V['kind'];
  /** Plural form for messages, as in "network is for containers". */
  readonly plural: string;
  /** Adverbial for messages, as in "this variant runs on the host". */
  readonly where: string;
  /** Whether its processes are the host's own: their programs and files are there, and can be inspected before anything starts. */
  readonly isHost?: true;
  /** Whether a clock of its own times its windows, which is known to some milliseconds only. */
  readonly hasOwnClock?: true;
  /** Whether processes there can be held to processors and a nice value. */
  readonly holdsPins?: true;
  /** Keys of the experiment file that it can't honor, so that they are refused. */
  readonly refuses?: readonly ('phases' | 'explain' | 'output')[];
  /** Whether hooks can run there. */
  readonly runsHooks?: true;
  /** Schemas of the keys that its variants have. */
  readonly keys: Keys;
  /** Keys each of which makes a variant one of this kind; none: it is the kind of variants that no other kind claims. */
  readonly selectedBy: readonly (keyof Keys & string)[];
  /** Advice on what to give for it, as in "give an image". */
  readonly advice: string;
  /** Whether it starts services by itself, which a client on the host can use; absent: no. */
  readonly bringsServices?: true;
  /** The command where none is given: whether there is one, and what to give for it; absent: there never is one. */
  readonly ownCommand?: { readonly isThere: (given: GivenKeys<Keys>) => boolean; readonly advice: string };
  /** Problems between its keys, and between them and the workload. */
  conflicts(given: GivenPlace<Keys>): Conflict[];
  /** The variant with defaults filled in and host paths absolute; relative ones start at `directory`. */
  resolve(common: Omit<VariantBase, 'kind'>, file: GivenKeys<Keys>, directory: string): V;
  /** The variant with every path of the host changed by `moved`, for files in a checkout. */
  relocate(variant: V, moved: (path: string) => string): V;
  /** The variant with all secret values of its own keys replaced; the variables of its workload are replaced already. */
  conceal(variant: V, conceal: Conceal): V;
  /** Schemas of its variants' own fields, as they are read back from a record. */
  readonly recorded: Readonly<Record<Exclude<keyof V, keyof VariantBase>, z.ZodType>>;
  /** Whether files of the host get into it; where none do, a revision changes nothing. */
  usesFiles(variant: V): boolean;
  /** Absolute folders of the host that it makes visible to what runs there and otherwise sees none; none for a kind on the host itself. */
  exposes(variant: V): readonly string[];
  /** Ports of the host that are taken while something in it listens on these TCP ports. */
  hostPorts(variant: V, listened: readonly number[]): readonly number[];
  /** User of the host that a variant's workload runs as; absent, or undefined: the user who started joulediff. */
  hostUser?(variant: V): string | undefined;
  /** Whether Docker's engine is stopped while a variant runs; absent: never. */
  stopsEngine?(variant: V): boolean;
  /** Network of a variant's workload, in words by which places can be compared (`facts`: of its place); absent: an inspection shows it. */
  network?(variant: V, facts: PlaceFacts): string;
  /** Mount points in the place; absent: none. */
  mounts?(variant: V): readonly string[];
  /** What can be known before a variant of it is set up; null: nothing. `passEnv`: the caller's variables that workloads get. Starts and changes nothing. Throws InputError and MeasureError. */
  foresee(variant: V, passEnv: readonly string[]): Promise<Foreseen | null>;
  makeExecutor(variant: V, environment: ExecutorEnvironment): Promise<Executor>;
  /**
   * Removes what killed processes left of this kind, and what was kept too long, but never what an experiment that goes on began with (`needed`: the
   * facts of its places). Gives a line for the log for each thing removed, or that could not be.
   */
  removeLeft(isAbandoned: IsAbandoned, needed: readonly PlaceFacts[]): Promise<string[]>;
}

/** Values in a file for the keys of a kind; each is valid by itself. */
export type GivenKeys<Keys extends PlaceKeys> = { readonly [K in keyof Keys]?: z.output<Keys[K]> };

/** A variant as the file gives it. */
export interface GivenPlace<Keys extends PlaceKeys = PlaceKeys> {
  readonly name: string;
  readonly file: GivenKeys<Keys>;
  /** Subject of a sentence about one of its keys. */
  readonly who: string;
  /** Its working directory, which may be that of the common workload. */
  readonly workdir: { readonly value: string | null | undefined; readonly path: Path; readonly isOwn: boolean };
  /** Path of one of its keys in the file. */
  pathOf(...keys: Path): Path;
  /** Text that the user wrote at a path. */
  given(path: Path): unknown;
}

/** Recorded form of a value; `place` tells it from other values of the variant. */
export type Conceal = (value: string, ...place: readonly string[]) => string;

export function concealEach(
  values: Readonly<Record<string, string>>,
  conceal: (value: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, conceal(value, name)]));
}
