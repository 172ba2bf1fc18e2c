import type { StackTimeKind } from '../../../contracts/profilers.ts';
import type { Group } from '../../../findings/explain.ts';
import { type ProfileNode, type ProfileTree, RARE } from '../analysis/tree.ts';
import { safeName } from './profiles/walk.ts';

/** A function on a stack, or a phase, as embedded in the page. */
export interface FlameNode {
  readonly name: string;
  /** Group of its self time; null: a phase, or the root. */
  readonly group: Group | null;
  /** Seconds including callees, means per run, in the order of the variants. */
  readonly totals: readonly number[];
  readonly children: readonly FlameNode[];
}

/** Data of the flame graphs: the largest parts of all stacks. */
export interface PageProfile {
  /** What its seconds count. */
  readonly time: StackTimeKind;
  readonly variants: readonly string[];
  readonly root: FlameNode;
  /** Omitted functions: those with less than this share of their phase's time in every variant. */
  readonly left: { readonly functions: number; readonly belowShare: number };
  /** Stacks that are already folded in the tree. */
  readonly folded: ProfileTree['folded'];
}

/** Maximum functions in a page; more could not be distinguished. */
const MAX_NODES = 4000;
const FIRST_SHARE = 1e-4;

/** The largest functions of each phase; time of omitted ones stays with their callers. Null: nothing was sampled. */
export function pageProfile(tree: ProfileTree | null, most = MAX_NODES): PageProfile | null {
  if (tree === null) return null;
  const all = tree.phases.reduce((sum, { root }) => sum + countOf(root), 0);
  for (let belowShare = all <= most ? 0 : FIRST_SHARE; ; belowShare = Math.max(FIRST_SHARE, 1.5 * belowShare)) {
    const hasPhases = tree.phases.some(({ phase }) => phase !== null);
    const phases = tree.phases.map(({ phase, root }) => {
      const least = root.total.map((total) => total * belowShare);
      return {
        name: safeName(phase ?? 'outside of phases'),
        group: null,
        totals: rounded(root.total),
        children: kept(root, least),
      };
    });
    const whole: FlameNode = {
      name: 'all',
      group: null,
      totals: tree.variants.map((_, of) => phases.reduce((sum, { totals }) => sum + (totals[of] ?? 0), 0)),
      children: hasPhases ? phases : phases.flatMap(({ children }) => children),
    };
    const left = all - (countDrawn(whole) - (hasPhases ? phases.length : 0));
    if (all - left > most && belowShare < 1) continue;
    return {
      time: tree.time,
      variants: tree.variants.map(({ name }) => name),
      root: whole,
      left: { functions: left, belowShare },
      folded: tree.folded,
    };
  }
}

function kept({ children }: ProfileNode, least: readonly number[]): FlameNode[] {
  return [...children.values()]
    .filter(
      ({ name, total }) => name !== RARE && total.some((seconds, of) => seconds > 0 && seconds >= (least[of] ?? 0)),
    )
    .toSorted((a, b) => sum(b.total) - sum(a.total))
    .map((node) => ({
      name: safeName(node.name),
      group: node.group,
      totals: rounded(node.total),
      children: kept(node, least),
    }));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, of) => total + of, 0);
/** Rounded to microseconds. */
const rounded = (seconds: readonly number[]): number[] => seconds.map((of) => Math.round(of * 1e6) / 1e6);
const countOf = ({ children }: ProfileNode): number =>
  [...children.values()].reduce((count, child) => count + (child.name === RARE ? 0 : 1 + countOf(child)), 0);
/** Number of functions and phases below a node. */
const countDrawn = ({ children }: FlameNode): number =>
  children.reduce((count, child) => count + 1 + countDrawn(child), 0);
