import type { ObservedGroup, ObserverData, Window } from '../../../contracts/observation.ts';
import type { Added, AroundClient, Tracer } from '../../../contracts/observing.ts';
import type { TracedWay, TracerName } from '../../../contracts/tracers.ts';

/** Target of an observer. */
export interface Target {
  /** null: no control group can be made. */
  readonly group: ObservedGroup | null;
  /** Private folder for temporary files. */
  readonly folder: string;
  /** Copies existing files of the target's place, by absolute path, into a folder; null: its files are the host's. */
  readonly filesOf: ((paths: readonly string[], into: string) => Promise<void>) | null;
  readonly signal: AbortSignal;
}

/** A running observer, from before a run's window until after it. */
export interface Observation {
  /** Absent: it observes from outside of the processes. */
  readonly added?: Added;
  /** Absent: it queries no service. */
  readonly around?: AroundClient;
  /** Ends observing, after the window. Throws ObserverError, which loses its data but not the run, or the signal's reason. */
  end(window: Window): Promise<ObserverData>;
  /** Ends observing and discards the data; never throws. */
  cancel(): Promise<void>;
}

/** A kind of observer: a folder, and a line in the registry. */
export interface ObserverKind {
  readonly name: string;
  /** Name of a kind that observes a superset: if that works, this kind is not tried. */
  readonly unless?: string;
  /** Kinds that are not used together with this one, since both would report the same time. */
  readonly insteadOf?: readonly string[];
  /** Tests whether it works here. Throws ObserverError with the limitation. */
  probe(folder: string, group: ObservedGroup | null): Promise<void>;
  /** Starts observing; it is active when this resolves. Throws ObserverError, or the signal's reason, and then leaves nothing running. */
  start(target: Target): Promise<Observation>;
}

/** Command under a tracer, as seen from the host. */
export interface TracedCommand {
  /** A shell line, or a program with arguments; null: its location is unknown. */
  readonly command: string | readonly string[] | null;
  readonly directory: string;
  /** PATH for finding its program. */
  readonly path: string;
  /** Whether it runs as another user than joulediff. */
  readonly isOther: boolean;
}

/** A tracer of calls, which may slow a run down by any factor, so no other observer is used with it. */
export interface TracerKind {
  readonly name: TracerName;
  /** The `way` of the runs under this tracer. */
  readonly way: TracedWay;
  /** Places where it can start commands; `services`: it attaches to the services of a run anywhere. */
  readonly places: 'host' | 'any' | 'services';
  /** Tests whether it works here. Throws ObserverError with the limitation. */
  probe(folder: string): Promise<void>;
  /** Begins tracing a run whose processes start in `group`; `folder` is private. Throws ObserverError. */
  begin(folder: string, command: TracedCommand, group: ObservedGroup | null): Promise<BegunTracer>;
}

/** A tracer of one run. */
export interface BegunTracer {
  /** Absent: it attaches to services. */
  readonly tracer?: Tracer;
  /** Absent: the command is started under it. */
  readonly around?: AroundClient;
  /** Limit and current size of its output; absent: the output is bounded anyway. */
  readonly room?: { readonly bytes: number; used(): number };
  /** Reads its output after the run. Throws ObserverError. */
  end(window: Window): Promise<ObserverData>;
  /** Removes its files outside of its folder, after the whole run has ended. */
  leave?(): void | Promise<void>;
}
