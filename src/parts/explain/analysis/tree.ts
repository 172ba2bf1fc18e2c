import type { Frame, ObservedRun, PhaseProfile } from '../../../contracts/observed-run.ts';
import type { StackTimeKind } from '../../../contracts/profilers.ts';
import type { Group } from '../../../findings/explain.ts';
import { canonicalName, fileOf, isKernel } from './names/canonical.ts';
import { groupOf } from './names/names.ts';

/** Node of a tree of stacks: seconds, the mean of a variant's observed runs. Arrays are in the order of the variants. */
export interface ProfileNode {
  readonly name: string;
  /** Name of the file with the function, without its folders. */
  readonly file: string;
  /** Group of its self time. */
  readonly group: Group;
  /** Seconds in the function itself, and with its callees. */
  readonly self: number[];
  readonly total: number[];
  readonly children: Map<string, ProfileNode>;
}

export interface PhaseTree {
  /** null: outside of every phase, or the whole run if there are no phases. */
  readonly phase: string | null;
  /** Mean duration in a run, seconds. */
  readonly wallS: readonly number[];
  readonly root: ProfileNode;
}

export interface ProfileTree {
  /** What its seconds count. */
  readonly time: StackTimeKind;
  readonly variants: readonly { readonly name: string; readonly runs: number }[];
  readonly phases: readonly PhaseTree[];
  /** Number of stacks folded into `RARE`, because their rest has less than this share of the phase's time in every variant. */
  readonly folded: { readonly stacks: number; readonly belowShare: number };
}

/** Number of stacks above which rare ones are folded: a complete tree would take minutes, and no viewer could open it. */
const MANY_STACKS = 50_000;
/** A stack is rare if it has less than this share of a phase's time in every variant. */
const RARE_SHARE = 1e-4;
/** Maximum nodes of all trees together; further calls are folded. A made-up file could expand to billions. */
const MAX_NODES = 500_000;
/** Maximum callers that are examined for the purpose of a kernel function. */
const MAX_CALLERS = 64;
/** Name of the node that replaces rare stacks below a function. */
export const RARE = '(rare stacks)';

/**
 * Builds one tree of stacks per phase from all observed runs, with the same names for the same functions in all variants, so that they can be
 * compared. Rare stacks are folded if there are very many. `order`: names of the variants in the order of the arrays. Null: nothing
 * was sampled.
 */
export function profileTree(all: readonly ObservedRun[], order: readonly string[] = []): ProfileTree | null {
  const observed = all.filter(isSampled);
  const runs = Map.groupBy(observed, ({ variant }) => variant);
  const variants = [...runs]
    .map(([name, { length }]) => ({ name, runs: length }))
    .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const phases = new Map<string | null, { phase: string | null; wallS: number[]; stacks: Stack[] }>();
  const known: Names = new Map();
  for (const run of observed) {
    const { variant } = run;
    const of = variants.findIndex(({ name }) => name === variant);
    const share = 1 / (variants[of]?.runs ?? 1);
    for (const { phase, wallS, stacks } of partsOf(run)) {
      const part = phases.get(phase) ?? { phase, wallS: variants.map(() => 0), stacks: [] };
      phases.set(phase, part);
      part.wallS[of]! += wallS * share;
      for (const { frames, seconds } of stacks) {
        part.stacks.push({ frames, at: 0, seconds: seconds * share, of });
      }
    }
  }
  const count = [...phases.values()].reduce((sum, { stacks }) => sum + stacks.length, 0);
  const folded = { stacks: 0, belowShare: count > MANY_STACKS ? RARE_SHARE : 0 };
  const room = { nodes: MAX_NODES };
  const trees = [...phases.values()].map(({ stacks, ...part }) => {
    const root = emptyNode(ROOT, variants.length);
    for (const { of, seconds } of stacks) root.total[of]! += seconds;
    const least = root.total.map((total) => total * folded.belowShare);
    folded.stacks += grow(root, { stacks, least, known, room });
    return { ...part, root };
  });
  const time = observed.some(({ isThreadTime }) => isThreadTime) ? 'thread' : 'processor';
  return trees.some(({ root }) => root.children.size > 0) ? { time, variants, phases: trees, folded } : null;
}

/** Whether the run has all its stacks. */
export const isSampled = ({ lacksStacks, phases, stacks: ofWhole = [] }: ObservedRun): boolean =>
  lacksStacks !== true && (ofWhole.length > 0 || phases.some(({ stacks }) => stacks.length > 0));

/** Phases of a run; if the stacks have no times, the whole run as one part. */
export function partsOf({ phases, stacks }: ObservedRun): readonly Pick<PhaseProfile, 'phase' | 'wallS' | 'stacks'>[] {
  if (stacks === undefined) return phases;
  return [{ phase: null, wallS: phases.reduce((sum, { wallS }) => sum + wallS, 0), stacks }];
}

/** Name of a function in all variants, and its group. */
interface Known {
  readonly name: string;
  readonly file: string;
  /** Null: the callers determine the group. */
  readonly group: Group | null;
}

/** A stack on its way down the tree. */
interface Stack {
  readonly frames: readonly Frame[];
  /** Index of the next frame. */
  at: number;
  /** Mean seconds per run. */
  readonly seconds: number;
  /** Index of the variant. */
  readonly of: number;
}

type Names = Map<string | null, Map<string, Known>>;

const ROOT = { name: '', file: '', group: 'own' } as const;
const emptyNode = (of: Pick<ProfileNode, 'name' | 'file' | 'group'>, variants: number): ProfileNode => ({
  ...of,
  self: Array.from({ length: variants }, () => 0),
  total: Array.from({ length: variants }, () => 0),
  children: new Map(),
});

interface Level {
  /** Stacks that pass through the node. */
  readonly stacks: readonly Stack[];
  readonly known: Names;
  /** Seconds in each variant below which a function is folded. */
  readonly least: readonly number[];
  /** Number of nodes that may still be created. */
  readonly room: { nodes: number };
}

/** Adds children to a node, level by level; each stack is visited once per level until it is rare. Returns the number of folded stacks. */
function grow(node: ProfileNode, { stacks, least, known, room }: Level): number {
  const parts = new Map<Known['name'], { readonly of: Known; stacks: Stack[]; total: number[] }>();
  for (const stack of stacks) {
    const next = step(stack, node.name, known);
    if (next === null) {
      node.self[stack.of]! += stack.seconds;
      continue;
    }
    let part = parts.get(next.name);
    if (part === undefined) {
      part = { of: next, stacks: [], total: least.map(() => 0) };
      parts.set(next.name, part);
    }
    part.stacks.push(stack);
    part.total[stack.of]! += stack.seconds;
  }
  let folded = 0;
  for (const { of, stacks: through, total } of parts.values()) {
    if (room.nodes > 0 && total.some((seconds, i) => seconds > 0 && seconds >= least[i]!)) {
      room.nodes--;
      const { frames, at } = through[0]!;
      const group = of.group ?? groupOf(frames[at - 1]!, frames.slice(Math.max(0, at - 1 - MAX_CALLERS), at - 1));
      const child = { ...emptyNode({ name: of.name, file: of.file, group }, least.length), total };
      node.children.set(of.name, child);
      folded += grow(child, { stacks: through, least, known, room });
      continue;
    }
    const rare = node.children.get(RARE) ?? emptyNode({ name: RARE, file: '', group: 'own' }, least.length);
    node.children.set(RARE, rare);
    for (const [i, seconds] of total.entries()) {
      rare.self[i]! += seconds;
      rare.total[i]! += seconds;
    }
    folded += through.length;
  }
  return folded;
}

/** Next function of a stack below `caller`; null: it ends. Steps that only one library has, such as `_int_malloc` in `malloc`, are skipped. */
function step(stack: Stack, caller: string, known: Names): Known | null {
  const { frames } = stack;
  while (stack.at < frames.length) {
    const frame = frames[stack.at]!;
    const found = knownAs(frame, known);
    const before = frames[stack.at - 1]?.name;
    stack.at++;
    if (found.name !== caller || frame.name === before) return found;
  }
  return null;
}

function knownAs(frame: Frame, known: Names): Known {
  const names = known.get(frame.library) ?? new Map<string, Known>();
  known.set(frame.library, names);
  const before = names.get(frame.name);
  if (before !== undefined) return before;
  const group = isKernel(frame.library) ? null : groupOf(frame);
  const found = { name: canonicalName(frame), file: fileOf(frame.library), group };
  names.set(frame.name, found);
  return found;
}
