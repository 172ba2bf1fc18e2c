import type { Path } from './words.ts';

/** A contradiction between keys that are each valid. */
export interface Conflict {
  /** Key or value that the message points at. */
  readonly path: Path;
  readonly part?: 'key' | 'value';
  readonly detail: string;
  /** The values that cause the conflict: if one of them is invalid itself, the conflict is not reported. */
  readonly follows: readonly Path[];
}
