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

/** How it is known that a service can be used. */
export type Ready =
  | { readonly kind: 'tcp'; readonly port: number }
  | { readonly kind: 'http'; readonly url: string; readonly status: number }
  /** A line of its output, as the lines of phases are written. */
  | { readonly kind: 'log'; readonly line: string }
  /** Run in the service's own place until it ends with exit code 0. */
  | { readonly kind: 'command'; readonly command: Command };

/** A command beside a run's own. */
export interface ServiceCommand {
  readonly name: string;
  readonly run: Command;
  /** Variables beside the variant's own, where it runs there. */
  readonly env: Readonly<Record<string, string>>;
  /** Null: the workload's. */
  readonly workdir: string | null;
  readonly stop: { readonly signal: ServiceSignal; readonly withinS: number };
  /** Subject of sentences about it; absent: that of a service. */
  readonly subject?: string;
}

/** Another machine than the one that is measured: `ssh://…`. */
export type MachineAddress = `ssh://${string}`;

/** What a workload's command talks to. */
export interface Service extends Omit<ServiceCommand, 'subject'> {
  readonly place: 'variant' | 'host' | MachineAddress;
  /** Where it is found from the measured machine, of one on another machine; absent: at the address of that machine which ssh comes to. */
  readonly address?: string;
  readonly lifetime: 'run' | 'experiment';
  /** Null: as soon as it has started. */
  readonly ready: Ready | null;
  readonly readyWithinS: number;
}

export interface ServiceContext {
  readonly experimentId: string;
  /** Number of the run that it is for; 0: it is for all. */
  readonly runId: number;
  /** Everything that it prints goes here. */
  readonly logFile: string;
  /** What it shares the network with, as an earlier service of the same place calls it; null: nothing. */
  readonly joins: string | null;
  /** What all of it is born in, where the run is observed; absent: it isn't. */
  readonly observed?: ObservedGroup | undefined;
  /** What observers add to services of its run; absent: nothing. */
  readonly added?: readonly Added[] | undefined;
  readonly signal: AbortSignal;
}

/** How a service ended; both null: nobody knows. */
export interface ServiceEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** A limit that it met; null: none, as far as can be known. */
  readonly limit: LimitMet | null;
  /** Which one of it ended, where it is several; absent: itself. */
  readonly service?: string;
  /** What took its place away, where it didn't end by itself. */
  readonly lost?: unknown;
}

/** A service in its place, which an executor made. */
export interface MadeService {
  /** Starts it; it may take as long as it likes to be ready. Throws MeasureError where it can't be started. */
  start(): Promise<void>;
  /** Never rejects; resolves when its first process has ended, however it did. */
  readonly ended: Promise<ServiceEnd>;
  /** What it has printed up to now; of a long output both ends. */
  output(): string;
  /** Brings what it has printed up to now here; absent: it is here anyway. */
  refresh?(): Promise<void>;
  /** Whether it, or anything else in its network, listens on a TCP port there. */
  listens(port: number): Promise<boolean>;
  /** Why it is not heard at a port, a sentence without its end; absent: because nothing listens there. */
  unheard?(port: number): Promise<string>;
  /** Addresses of this machine's network at which it answers when its own network is not the host's; empty: the same as the host's. */
  addresses(): Promise<readonly string[]>;
  /** Whether nothing outside of its network can ask it; absent: it can be asked. */
  readonly isApart?: () => boolean;
  /** Whether a command in its place ends with exit code 0. Ended when the signal is aborted. */
  succeeds(command: Command, signal: AbortSignal): Promise<boolean>;
  /** What others join to share its network; null: they have the same anyway. */
  readonly network: string | null;
  /** What it has used up to now, by its parts; empty before its start; absent: something else's is this. */
  used?(): readonly ServiceUse[];
  /** Names of processes that its first one has left running; asked when that one has ended. */
  left(): readonly string[];
  /**
   * Ends it with its signal, kills what is left after `withinS` seconds, and removes its place. Never asked twice. Throws MeasureError where
   * something can't be removed.
   */
  stop(withinS: number): Promise<{ readonly killed: boolean; readonly left: readonly string[] }>;
}

/** What runs services: the place of a variant, this machine, or another one. */
export interface ServiceRunner {
  /** Once, before anything is made. Throws InputError, MeasureError, or the signal's reason. `recorded`: the facts that an unfinished experiment was begun with. */
  setup(signal: AbortSignal, recorded?: PlaceFacts): Promise<PlaceFacts>;
  /** Makes what a service (or a hook) runs in; nothing is started yet. Throws MeasureError; nothing is left then. */
  makeService(service: ServiceCommand, context: ServiceContext): Promise<MadeService>;
}

/** A machine on which services run that are the same for all variants. */
export interface ServiceHost {
  /** As processes there are marked. */
  readonly name: string;
  /** Variables of all of its services. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent: as everything else. */
  readonly pin?: Pin;
}

/** A machine that runs services for the measured one, and is not measured. */
export interface ServiceMachine extends ServiceRunner {
  readonly host: RemoteHost;
  /** Its place in the order of such machines, from 1. */
  readonly number: number;
  makeService(service: Service, context: ServiceContext): Promise<MadeService>;
  recover(signal: AbortSignal): Promise<void>;
}
