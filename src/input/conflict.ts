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

/** A list of conflicts, and the function that adds one to it. Each follows from the key that it is about, `always`, and `more`. */
export function refusals(...always: Path[]) {
  const found: Conflict[] = [];
  const refuse = (path: Path, detail: string, ...more: Path[]): void => {
    found.push({ path, part: 'key', detail, follows: [path, ...always, ...more] });
  };
  return { found, refuse };
}

export type Refuse = ReturnType<typeof refusals>['refuse'];
