/** Tracers by name, with the `way` of runs under them, without their code: readers of experiment files and results need only these facts. */
export const TRACER_WAYS = { strace: 'traced', 'strace-services': 'attached', uftrace: 'uftraced' } as const;

export type TracerName = keyof typeof TRACER_WAYS;
export type TracedWay = (typeof TRACER_WAYS)[TracerName];
export const TRACERS = Object.keys(TRACER_WAYS) as TracerName[];

/** How observing slows a run down: `sampled` hardly does, tracers may by any factor. */
export const WAYS = ['sampled', ...Object.values(TRACER_WAYS)] as const;

/** Tracers that a file or an option asks for; true: strace, for the command and for services. */
export type TraceChoice = boolean | readonly TracerName[];

/** The named tracers; null: the choice names none. */
export function namedTracers(choice: TraceChoice | undefined): readonly TracerName[] | null {
  if (choice === undefined) return null;
  if (typeof choice === 'boolean') return choice ? ['strace', 'strace-services'] : [];
  return choice;
}
