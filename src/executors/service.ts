import type { LimitMet } from '../contracts/execution.ts';
import type { ObservedGroup } from '../contracts/observation.ts';
import type { Added } from '../contracts/observing.ts';
import type { Command, Pin, PlaceFacts } from '../contracts/variant.ts';
import type { RemoteHost } from '../hosts/host.ts';
import type { ServiceUse } from './service-use.ts';

/** Signals that a service can be asked to end with. */
export const SERVICE_SIGNALS = [
  'SIGTERM',
  'SIGINT',
  'SIGQUIT',
  'SIGHUP',
  'SIGUSR1',
  'SIGUSR2',
  'SIGWINCH',
  'SIGKILL',
] as const;

export type ServiceSignal = (typeof SERVICE_SIGNALS)[number];

/** Test that shows that a service can be used. */
export type Ready =
  | { readonly kind: 'tcp'; readonly port: number }
  | { readonly kind: 'http'; readonly url: string; readonly status: number }
  /** A line of its output, in the form of the lines of phases. */
  | { readonly kind: 'log'; readonly line: string }
  /** A command that is run in the service's place until it ends with exit code 0. */
  | { readonly kind: 'command'; readonly command: Command };

/** A command that runs beside that of a run. */
export interface ServiceCommand {
  readonly name: string;
  readonly run: Command;
  /** Variables in addition to the variant's own, if it runs in the variant's place. */
  readonly env: Readonly<Record<string, string>>;
  /** Working directory; null: the workload's. */
  readonly workdir: string | null;
  readonly stop: { readonly signal: ServiceSignal; readonly withinS: number };
  /** Subject of sentences about it; absent: the one for services. */
  readonly subject?: string;
}

/** Address of a machine other than the measured one: `ssh://…`. */
export type MachineAddress = `ssh://${string}`;

/** A service that a workload's command uses. */
export interface Service extends Omit<ServiceCommand, 'subject'> {
  readonly place: 'variant' | 'host' | MachineAddress;
  /** Address of a service on another machine, as seen from the measured one; absent: the address of that machine to which ssh connects. */
  readonly address?: string;
  readonly lifetime: 'run' | 'experiment';
  /** Test for readiness; null: it is ready as soon as it has started. */
  readonly ready: Ready | null;
  readonly readyWithinS: number;
}

export interface ServiceContext {
  readonly experimentId: string;
  /** Number of the run that the service is for; 0: it is for all runs. */
  readonly runId: number;
  /** File for all its output. */
  readonly logFile: string;
  /** Network to share, as named by an earlier service of the same place; null: none. */
  readonly joins: string | null;
  /** Control group that all its processes are born in, if the run is observed; absent: the run isn't. */
  readonly observed?: ObservedGroup | undefined;
  /** What observers add to services of its run; absent: nothing. */
  readonly added?: readonly Added[] | undefined;
  readonly signal: AbortSignal;
}

/** How a service ended; exit code and signal both null: unknown. */
export interface ServiceEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Limit that it met; null: none, as far as is known. */
  readonly limit: LimitMet | null;
  /** Name of the one that ended, if the service consists of several; absent: the service itself. */
  readonly service?: string;
  /** Why its place went away, if the service didn't end by itself. */
  readonly lost?: unknown;
}

/** A service that an executor has made in its place. */
export interface MadeService {
  /** Starts it, without waiting until it is ready. Throws MeasureError where it can't be started. */
  start(): Promise<void>;
  /** Resolves when its first process has ended, however it did. Never rejects. */
  readonly ended: Promise<ServiceEnd>;
  /** Its output up to now; of a long one both ends. */
  output(): string;
  /** Fetches its output up to now; absent: it is here anyway. */
  refresh?(): Promise<void>;
  /** Whether something in its network listens on a TCP port. */
  listens(port: number): Promise<boolean>;
  /** Why it can't be reached at a port, a sentence without its end; absent: because nothing listens there. */
  unheard?(port: number): Promise<string>;
  /** Addresses of this machine's network at which it answers when its own network is not the host's; empty: the same as the host's. */
  addresses(): Promise<readonly string[]>;
  /** Whether it can't be reached from outside of its network; absent: it can. */
  readonly isApart?: () => boolean;
  /** Whether a command in its place ends with exit code 0. Given up when the signal is aborted. */
  succeeds(command: Command, signal: AbortSignal): Promise<boolean>;
  /** Network that others join to share it; null: they have the same network anyway. */
  readonly network: string | null;
  /** What each of its parts has used up to now; empty before its start; absent: another service accounts for it. */
  used?(): readonly ServiceUse[];
  /** Names of processes that its first one has left running. To be called when that has ended. */
  left(): readonly string[];
  /**
   * Ends it with its signal, kills what is left after `withinS` seconds, and removes its place. To be called once, or again where it threw.
   * Throws MeasureError where a thing can't be removed.
   */
  stop(withinS: number): Promise<{ readonly killed: boolean; readonly left: readonly string[] }>;
}

/** Runs services: the place of a variant, this machine, or another one. */
export interface ServiceRunner {
  /** Called once, before anything is made. `recorded`: facts that an experiment was begun with. Throws InputError, MeasureError or the reason. */
  setup(signal: AbortSignal, recorded?: PlaceFacts): Promise<PlaceFacts>;
  /** Makes what a service (or a hook) runs in, without starting it. Throws MeasureError; nothing is left then. */
  makeService(service: ServiceCommand, context: ServiceContext): Promise<MadeService>;
}

/** A machine with services that are the same for all variants. */
export interface ServiceHost {
  /** Name in the marks of its processes. */
  readonly name: string;
  /** Variables of all of its services. */
  readonly env: Readonly<Record<string, string>>;
  /** Processors and nice value; absent: as everything else. */
  readonly pin?: Pin;
}

/** A machine that runs services for the measured one, and is not measured. */
export interface ServiceMachine extends ServiceRunner {
  readonly host: RemoteHost;
  /** Its number in the order of such machines, from 1. */
  readonly number: number;
  makeService(service: Service, context: ServiceContext): Promise<MadeService>;
  recover(signal: AbortSignal): Promise<void>;
}
