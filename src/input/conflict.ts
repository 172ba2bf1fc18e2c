import type { Path } from './words.ts';

/** Something that is wrong between keys that are right on their own. */
export interface Conflict {
  /** Where it is shown. */
  readonly path: Path;
  readonly part?: 'key' | 'value';
  readonly detail: string;
  /** The values that it follows from: if one of them is wrong itself, this is not told. */
  readonly follows: readonly Path[];
}
