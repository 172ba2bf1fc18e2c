import { canonicalName, fileOf, isKernel } from './names/canonical.ts';
import type { Group } from './names/groups.ts';
import { groupOf } from './names/names.ts';
import type { Frame, ObservedRun } from './profile.ts';

/** Processor time by what was on the stack: seconds, the mean of a variant's observed runs. Numbers stand in the order of the variants. */
export interface ProfileNode {
  readonly name: string;
  /** The file that holds it, without its folders. */
  readonly file: string;
  /** What its own time goes to. */
  readonly group: Group;
  /** In the function itself, and with all that it called. */
  readonly self: number[];
  readonly total: number[];
  readonly children: Map<string, ProfileNode>;
}

export interface PhaseTree {
  /** null: outside every phase. */
  readonly phase: string | null;
  /** Seconds, means of a run. */
  readonly wallS: readonly number[];
  readonly root: ProfileNode;
}

export interface ProfileTree {
  readonly variants: readonly { readonly name: string; readonly runs: number }[];
  readonly phases: readonly PhaseTree[];
}

/**
 * The stacks of all observed runs in one tree for each phase, so that variants can be held against each other: functions under the names that are the
 * same in all of them. Null: nothing was sampled.
 */
export function profileTree(observed: readonly ObservedRun[]): ProfileTree | null {
  const variants = [...Map.groupBy(observed, ({ variant }) => variant)].map(([name, runs]) => ({
    name,
    runs: runs.length,
  }));
  const phases = new Map<string | null, { phase: string | null; wallS: number[]; root: ProfileNode }>();
  const known = new Map<string, Known>();
  const zeros = (): number[] => variants.map(() => 0);
  for (const { variant, phases: parts } of observed) {
    const of = variants.findIndex(({ name }) => name === variant);
    const share = 1 / (variants[of]?.runs ?? 1);
    for (const { phase, wallS, stacks } of parts) {
      const tree = phases.get(phase) ?? {
        phase,
        wallS: zeros(),
        root: { ...ROOT, self: zeros(), total: zeros(), children: new Map() },
      };
      phases.set(phase, tree);
      tree.wallS[of]! += wallS * share;
      for (const { frames, seconds } of stacks) add(tree.root, frames, seconds * share, of, known, zeros);
    }
  }
  const all = [...phases.values()];
  return all.some(({ root }) => root.children.size > 0) ? { variants, phases: all } : null;
}

const ROOT = { name: '', file: '', group: 'own' } as const;

interface Known {
  readonly name: string;
  readonly file: string;
  /** Null: its callers tell. */
  readonly group: Group | null;
}

function add(
  root: ProfileNode,
  frames: readonly Frame[],
  seconds: number,
  of: number,
  known: Map<string, Known>,
  zeros: () => number[],
): void {
  let node = root;
  node.total[of]! += seconds;
  for (const [i, frame] of frames.entries()) {
    const { name, file, group } = knownAs(frame, known);
    // `malloc` of one library calls its `_int_malloc`; that of another has no such step.
    if (name === node.name && frame.name !== frames[i - 1]?.name) continue;
    let child = node.children.get(name);
    if (child === undefined) {
      child = {
        name,
        file,
        group: group ?? groupOf(frame, frames.slice(0, i)),
        self: zeros(),
        total: zeros(),
        children: new Map(),
      };
      node.children.set(name, child);
    }
    child.total[of]! += seconds;
    node = child;
  }
  node.self[of]! += seconds;
}

function knownAs(frame: Frame, known: Map<string, Known>): Known {
  const key = `${frame.library ?? ''}\n${frame.name}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const group = isKernel(frame.library) ? null : groupOf(frame);
  const found = { name: canonicalName(frame), file: fileOf(frame.library), group };
  known.set(key, found);
  return found;
}
