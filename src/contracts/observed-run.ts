import type { Frame, StretchCount } from './observation.ts';

export type { Frame };

/** Processor time spent with these frames on the stack, the outermost first. */
export interface StackTime {
  readonly frames: readonly Frame[];
  readonly seconds: number;
}

/** A count for one phase of a run. */
export interface Count {
  readonly kind: Exclude<StretchCount['kind'], 'cpu' | 'stretched' | 'call'>;
  readonly name: string;
  readonly value: number;
  /** Failed system calls or commands; null: not counted. */
  readonly errors: number | null;
  /** Part of `value` from stretches that also belong to other phases, or may: `given`, and its largest error, `most`; absent: there is none. */
  readonly unsure?: { readonly given: number; readonly most: number };
}

/** Profile of one phase; `phase` null: the time outside every phase. */
export interface PhaseProfile {
  readonly phase: string | null;
  readonly wallS: number;
  readonly cpuS: number;
  readonly stacks: readonly StackTime[];
  readonly counts: readonly Count[];
}

/** An extra run that was observed. Its energy is not used. */
export interface ObservedRun {
  readonly variant: string;
  readonly run: number;
  readonly phases: readonly PhaseProfile[];
  /** Commands that servers executed, by their own statistics, which know no phases; absent: no server was asked, or one did not answer. */
  readonly commands?: readonly Count[];
  /** Stacks of the whole run, if an observer of stacks reported no times; absent: the stacks are in the phases. */
  readonly stacks?: readonly StackTime[];
  /** True: an observer did not report the stacks that it should, so they can't be compared. */
  readonly lacksStacks?: true;
  /** True: seconds of stacks count while a thread was seen in them; absent: while it had a processor. */
  readonly isThreadTime?: true;
  /** True: stacks have only a part of the processor time, such as that of one program, or without the kernel's. */
  readonly isPartial?: true;
  /** True: the processor time is unknown, not zero. */
  readonly lacksCpu?: true;
  /** Kinds of counts that are unknown (not zero) here, but known for other runs; a kind, or a kind with a name (`bytes disks-read`). */
  readonly unseen?: ReadonlySet<string>;
  /** Processor time that one sample represents, seconds; absent: nothing was sampled. */
  readonly sampleS?: number;
}
