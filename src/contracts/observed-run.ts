import type { Frame, StretchCount } from './observation.ts';

export type { Frame };

/** Processor time that was spent with these functions on the stack, the outermost first. */
export interface StackTime {
  readonly frames: readonly Frame[];
  readonly seconds: number;
}

/** Something that was counted, of a phase of one run. */
export interface Count {
  readonly kind: Exclude<StretchCount['kind'], 'cpu' | 'stretched' | 'call'>;
  readonly name: string;
  readonly value: number;
  /** How many system calls or commands failed; null: that isn't counted. */
  readonly errors: number | null;
  /** What comes from stretches that other phases have a part in, or may have: how much of the value, and how far off it can be; absent: nothing. */
  readonly unsure?: { readonly given: number; readonly most: number };
}

/** null: outside every phase. */
export interface PhaseProfile {
  readonly phase: string | null;
  readonly wallS: number;
  readonly cpuS: number;
  readonly stacks: readonly StackTime[];
  readonly counts: readonly Count[];
}

/** An extra run that was observed. It is in no energy. */
export interface ObservedRun {
  readonly variant: string;
  readonly run: number;
  readonly phases: readonly PhaseProfile[];
  /** What servers executed, by their own accounts, which know no phases; absent: none was asked, or one gave no answer. */
  readonly commands?: readonly Count[];
  /** Stacks of the whole run, where somebody who told some knows no times; absent: they are in the phases. */
  readonly stacks?: readonly StackTime[];
  /** Somebody who was to give its stacks did not: what they go to can't be compared. */
  readonly lacksStacks?: true;
  /** The seconds of its stacks are those in which threads were seen in them; absent: of processors. */
  readonly isThreadTime?: true;
  /** Nobody told what processor time it took: it isn't zero. */
  readonly lacksCpu?: true;
  /** What nobody saw of this run, and somebody of others: it isn't zero. Kinds, or a kind with a name (`bytes disks-read`). */
  readonly unseen?: ReadonlySet<string>;
  /** Processor time that one sample stands for, seconds; absent: nothing was sampled. */
  readonly sampleS?: number;
}
