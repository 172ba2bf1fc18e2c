/** Tracers by name, and the `way` of the runs that are under each. Without what they do: whoever reads an experiment file or a result needs no more. */
export const TRACER_WAYS = { strace: 'traced', 'strace-services': 'attached', uftrace: 'uftraced' } as const;

export type TracerName = keyof typeof TRACER_WAYS;
export type TracedWay = (typeof TRACER_WAYS)[TracerName];
export const TRACERS = Object.keys(TRACER_WAYS) as TracerName[];

/** How looking slows down what is looked at: `sampled` hardly, the others as much as they like. */
export const WAYS = ['sampled', ...Object.values(TRACER_WAYS)] as const;

/** As a file or an option says it: those that are named; true is strace, for the command and for services. */
export type TraceChoice = boolean | readonly TracerName[];

/** Null: nobody says. */
export function namedTracers(choice: TraceChoice | undefined): readonly TracerName[] | null {
  if (choice === undefined) return null;
  if (typeof choice === 'boolean') return choice ? ['strace', 'strace-services'] : [];
  return choice;
}
