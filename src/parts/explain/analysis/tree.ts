import type { Frame, ObservedRun, PhaseProfile } from '../../../contracts/observed-run.ts';
import type { StackTimeKind } from '../../../contracts/profilers.ts';
import type { Group } from '../../../findings/explain.ts';
import { canonicalName, fileOf, isKernel } from './names/canonical.ts';
import { groupOf } from './names/names.ts';

/** Time by what was on the stack: seconds, the mean of a variant's observed runs. Numbers stand in the order of the variants. */
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
  /** null: outside every phase, or all of the run where no other part is there. */
  readonly phase: string | null;
  /** Seconds, means of a run. */
  readonly wallS: readonly number[];
  readonly root: ProfileNode;
}

export interface ProfileTree {
  /** What its seconds are. */
  readonly time: StackTimeKind;
  readonly variants: readonly { readonly name: string; readonly runs: number }[];
  readonly phases: readonly PhaseTree[];
  /** How many stacks end in `RARE`, since what follows there has less than this share of its phase's time in every variant. */
  readonly folded: { readonly stacks: number; readonly belowShare: number };
}

/** Of more stacks than that, the rare ones are folded: a tree of all of them takes minutes, and no viewer opens it. */
const MANY_STACKS = 50_000;
/** Of a phase's time in each variant: what has less of it in all of them is rare. */
const RARE_SHARE = 1e-4;
/** Most nodes that the trees of all phases may have together; further calls are folded. A made-up file could unfold into billions. */
const MAX_NODES = 500_000;
/** Callers that may tell what a function of the kernel worked on. */
const MAX_CALLERS = 64;
/** Stands for what rare stacks have below a function. */
export const RARE = '(rare stacks)';

/**
 * The stacks of all observed runs in one tree for each phase, so that variants can be held against each other: functions under the names that are the
 * same in all of them. What is rare among very many stacks is folded. `order`: names of variants as they are numbered, in whichever order they ran. Null: nothing
 * was sampled.
 */
export function profileTree(all: readonly ObservedRun[], order: readonly string[] = []): ProfileTree | null {
  const observed = all.filter(({ lacksStacks }) => lacksStacks !== true);
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
    const root = nodeOf(ROOT, variants.length);
    for (const { of, seconds } of stacks) root.total[of]! += seconds;
    const least = root.total.map((total) => total * folded.belowShare);
    folded.stacks += grow(root, { stacks, least, known, room });
    return { ...part, root };
  });
  const time = observed.some(({ isThreadTime }) => isThreadTime) ? 'thread' : 'processor';
  return trees.some(({ root }) => root.children.size > 0) ? { time, variants, phases: trees, folded } : null;
}

/** Where nobody knows the times of stacks, the run is one part. */
export function partsOf({ phases, stacks }: ObservedRun): readonly Pick<PhaseProfile, 'phase' | 'wallS' | 'stacks'>[] {
  if (stacks === undefined) return phases;
  return [{ phase: null, wallS: phases.reduce((sum, { wallS }) => sum + wallS, 0), stacks }];
}

/** What a function is called in all variants. */
interface Known {
  readonly name: string;
  readonly file: string;
  /** Null: its callers tell. */
  readonly group: Group | null;
}

/** On its way down the tree. */
interface Stack {
  readonly frames: readonly Frame[];
  /** The frame that comes next. */
  at: number;
  /** Seconds in the mean run. */
  readonly seconds: number;
  /** Place of the variant. */
  readonly of: number;
}

type Names = Map<string | null, Map<string, Known>>;

const ROOT = { name: '', file: '', group: 'own' } as const;
const nodeOf = (of: Pick<ProfileNode, 'name' | 'file' | 'group'>, variants: number): ProfileNode => ({
  ...of,
  self: Array.from({ length: variants }, () => 0),
  total: Array.from({ length: variants }, () => 0),
  children: new Map(),
});

interface Level {
  /** Stacks that pass through the node. */
  readonly stacks: readonly Stack[];
  readonly known: Names;
  /** Seconds of each variant below which a function is folded. */
  readonly least: readonly number[];
  /** Nodes that may still be made. */
  readonly room: { nodes: number };
}

/** Gives a node its children, level by level: each stack is looked at once a level, and no longer once it is rare. Gives how many were folded. */
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
      const child = { ...nodeOf({ name: of.name, file: of.file, group }, least.length), total };
      node.children.set(of.name, child);
      folded += grow(child, { stacks: through, least, known, room });
      continue;
    }
    const rare = node.children.get(RARE) ?? nodeOf({ name: RARE, file: '', group: 'own' }, least.length);
    node.children.set(RARE, rare);
    for (const [i, seconds] of total.entries()) {
      rare.self[i]! += seconds;
      rare.total[i]! += seconds;
    }
    folded += through.length;
  }
  return folded;
}

/** The next function of a stack below `caller`; null: it ends there. `malloc` of one library calls its `_int_malloc`; that of another has no such step. */
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
