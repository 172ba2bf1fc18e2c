import type { ObservedGroup, Seen, Window } from '../../../contracts/observation.ts';
import type { Added, AroundClient, Tracer } from '../../../contracts/observing.ts';
import type { TracedWay, TracerName } from '../../../contracts/tracers.ts';

/** What is looked at. */
export interface Target {
  /** null: none can be made. */
  readonly group: ObservedGroup | null;
  /** Private, for files that are needed meanwhile. */
  readonly folder: string;
  /** Copies files of its place, by their absolute paths, into a folder, as far as they are there; null: its files are those of the host. */
  readonly filesOf: ((paths: readonly string[], into: string) => Promise<void>) | null;
  readonly signal: AbortSignal;
}

/** Somebody who looks on, from before a run's window until after it. */
export interface Observation {
  /** Absent: it looks from outside. */
  readonly added?: Added;
  /** Absent: it asks no service. */
  readonly around?: AroundClient;
  /** Ends the looking, after the window. Throws ObserverError: what was seen is lost then, the run is not; or the signal's reason. */
  end(window: Window): Promise<Seen>;
  /** Ends it without asking what it saw; never throws. */
  cancel(): Promise<void>;
}

/** A way of looking into runs: a folder, and its line of the registry. */
export interface ObserverKind {
  readonly name: string;
  /** A kind that sees all that this one does: where that can be used, this one isn't tried. */
  readonly unless?: string;
  /** Kinds that aren't used beside it, since the same time would be told twice. */
  readonly insteadOf?: readonly string[];
  /** Whether it works here, by a real trial. Throws ObserverError with what it lacks. */
  probe(folder: string, group: ObservedGroup | null): Promise<void>;
  /** Looks on as soon as this resolves. Throws ObserverError, or the signal's reason; nothing of it runs then. */
  start(target: Target): Promise<Observation>;
}

/** What is started under a tracer, as the host sees it. */
export interface TracedCommand {
  /** A shell's line, or a program and its arguments; null: nobody knows where it lies. */
  readonly command: string | readonly string[] | null;
  readonly directory: string;
  /** Where its program is looked for. */
  readonly path: string;
  /** It runs as another user than joulediff. */
  readonly isOther: boolean;
}

/** A way of looking at calls that slows a run down as much as it likes, so that nothing else looks at the same run. */
export interface TracerKind {
  readonly name: TracerName;
  /** The `way` of the runs under this tracer. */
  readonly way: TracedWay;
  /** Where commands can be started under it; `services`: it attaches to the services of a run in any place. */
  readonly places: 'host' | 'any' | 'services';
  /** Whether it works here, by a real trial. Throws ObserverError with what it lacks. */
  probe(folder: string): Promise<void>;
  /** For one run, whose processes are born in `group`; `folder` is private. Throws ObserverError. */
  begin(folder: string, command: TracedCommand, group: ObservedGroup | null): Promise<BegunTracer>;
}

/** A tracer of one run. */
export interface BegunTracer {
  /** Absent: it attaches to services. */
  readonly tracer?: Tracer;
  /** Absent: the command is started under it. */
  readonly around?: AroundClient;
  /** What it may write, and has written by now; absent: what it writes is bounded. */
  readonly room?: { readonly bytes: number; used(): number };
  /** What it wrote of a run that has ended. Throws ObserverError. */
  end(window: Window): Promise<Seen>;
  /** Removes what it left outside of its folder, when all of the run has ended. */
  leave?(): void | Promise<void>;
}
