import { plain } from '../../../../text/plain.ts';
import type { ProfileNode, ProfileTree } from '../../analysis/tree.ts';

/** Characters of a name that an export keeps. */
const LONGEST = 400;

/** Time that was spent in the last of these functions itself. */
export interface Spent {
  /** Null: the runs have no phases. */
  readonly phase: string | null;
  /** The outermost first; empty: no stack was taken. */
  readonly path: readonly ProfileNode[];
  readonly seconds: number;
}

/** All that a variant's time was spent in, phase by phase. */
export function* spentOf({ phases }: ProfileTree, variant: number): Generator<Spent> {
  const hasPhases = phases.some(({ phase }) => phase !== null);
  for (const { phase, root } of phases) {
    yield* below(root, [], hasPhases ? (phase ?? OUTSIDE) : null, variant);
  }
}

/** The name of what belongs to no phase. */
export const OUTSIDE = '(outside of phases)';

function* below(
  node: ProfileNode,
  path: readonly ProfileNode[],
  phase: string | null,
  variant: number,
): Generator<Spent> {
  const seconds = node.self[variant] ?? 0;
  if (seconds > 0) yield { phase, path, seconds };
  for (const child of node.children.values()) {
    if ((child.total[variant] ?? 0) > 0) yield* below(child, [...path, child], phase, variant);
  }
}

/** A name from a program as one visible line: no format is broken by what a function is called, and no screen deceived. */
export const safeName = (name: string): string => plain(name, LONGEST) || '?';
