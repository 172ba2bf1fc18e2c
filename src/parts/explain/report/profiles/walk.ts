import { plain } from '../../../../text/plain.ts';
import type { ProfileNode, ProfileTree } from '../../analysis/tree.ts';

/** Maximum characters of a name in an export. */
const LONGEST = 400;

/** Self time of the last function in `path`. */
export interface Spent {
  /** Null: the runs have no phases. */
  readonly phase: string | null;
  /** Functions, the outermost first; empty: time without a sampled stack. */
  readonly path: readonly ProfileNode[];
  readonly seconds: number;
}

/** Self times of a variant, phase by phase. */
export function* selfTimes({ phases }: ProfileTree, variant: number): Generator<Spent> {
  const hasPhases = phases.some(({ phase }) => phase !== null);
  for (const { phase, root } of phases) {
    yield* below(root, [], hasPhases ? (phase ?? OUTSIDE) : null, variant);
  }
}

/** Name for time outside of phases. */
const OUTSIDE = '(outside of phases)';

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

/** A name from a program as one visible line, which can break neither a format nor a terminal. */
export const safeName = (name: string): string => plain(name, LONGEST) || '?';
