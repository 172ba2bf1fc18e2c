import type { KvmState } from '../../../executors/vm/kvm.ts';
import type { SettingName } from '../../../findings/findings.ts';
import type { MachineFiles } from '../../../machine/files.ts';
import type { KernelMessage } from '../../../machine/kernel-log.ts';

export type State = 'ok' | 'warn' | 'fail' | 'unknown';

/** What a remedy begins with: a remedy is pasted into a shell, so the types let no sentence in. */
type Program = 'chronyc' | 'docker' | 'echo' | 'env' | 'for' | 'joulediff' | 'sudo' | 'top' | 'watch';
export type Command = `${Program} ${string}`;

/** What an examination came to. */
export interface Found {
  /** `fail`: measuring on this machine would be pointless. `unknown`: it could not be seen, and `seen` says why. */
  readonly state: State;
  /** What was found, without a full stop. */
  readonly seen: string;
  /** A command that shows it. */
  readonly how: string;
  /** What mends it or, where only hands can, what shows whether they did; left out: nothing needs to be done. */
  readonly remedy?: Command | undefined;
  /** Sentences: what the remedy does not say or do. */
  readonly note?: string | undefined;
}

/** One thing that is looked at. The descriptor brings all of it: how it is read, when it matters, and what is said of it. */
export interface Examination {
  readonly name: string;
  /** Heading that it stands under. */
  readonly group: Group;
  /** Why it matters for a measurement, a sentence. */
  readonly why: string;
  /** Never throws because of what it finds on the machine. */
  examine(patient: Patient): Found | Promise<Found>;
}

/** Groups are read when a session begins. */
export const LOG_IN_AGAIN = 'It takes effect when the user logs in again, and for a runner when it is started again.';

/** A remedy that is undone by itself; undefined: an experiment on another machine sets nothing there. */
export const quietNote = ({ host }: Patient, setting: SettingName): string | undefined =>
  host === null
    ? `With quiet: [${setting}], an experiment does it for its own time, and undoes it at its end.`
    : undefined;

export const GROUPS = ['Meter', 'Quiet', 'Processor', 'Containers', 'System'] as const;
export type Group = (typeof GROUPS)[number];

export interface Engine {
  readonly version: string | null;
  readonly storageDriver: string | null;
  readonly cgroupDriver: string | null;
  readonly cgroupVersion: string | null;
  /** Names of the containers that run, without those of joulediff. */
  readonly running: readonly string[];
}

/** Why something can't be had. */
export interface Trouble {
  readonly why: string;
  /** What to do about it, in sentences. */
  readonly advice: string | null;
  /** The system's name of the error, such as EACCES; null: it was none of the system's. */
  readonly code: string | null;
}

/** A meter that was opened and identified. */
export interface OpenedMeter {
  readonly name: string;
  readonly source: 'measured' | 'modelled' | 'emulated';
  readonly sees: string;
  /** What `meter check` found; null: this meter was never checked on this machine. */
  readonly passport: { readonly at: string; readonly passed: boolean } | null;
}

/** The user who measures. */
export interface Person {
  readonly name: string;
  readonly uid: number;
  /** Names of groups. */
  readonly groups: readonly string[];
}

/** The machine that is examined, as far as this user may see it. */
export interface Patient {
  /** How another machine is reached, `ssh://sut`; null: it is this one. */
  readonly host: string | null;
  /** Its files; those of another machine are what was asked for. */
  readonly files: MachineFiles;
  readonly person: Person;
  /** Processors that others keep busy, and who they are; null: it can't be told. */
  load(): Promise<{ readonly processors: number; readonly names: readonly string[] } | null>;
  /** The engine, or why it can't be asked. */
  engine(): Promise<Engine | Trouble>;
  /** Where the engine is, if the environment says so. */
  readonly engineAddress: string | null;
  /** The meter, or why there is none; always one of this machine. Null: none was named for another machine. */
  meter(): Promise<OpenedMeter | Trouble | null>;
  /** What a program prints; null: there is no such program here, or it failed. */
  output(program: string, args: readonly string[]): Promise<string | null>;
  /** Bytes that this user may still write there; null: it can't be told. */
  freeBytes(path: string): number | null;
  /** All that its kernel still has; null: this user may not read them. */
  kernelMessages(): readonly KernelMessage[] | null;
  /** Whether guests can be booted with KVM, proven by booting something small; null: that is not tried on another machine. */
  kvm(): Promise<KvmState | null>;
  /** Which other experiment holds the machine, a sentence; null: none does. */
  busyWith(): string | null;
}

export interface Examined extends Omit<Found, 'remedy' | 'note'> {
  readonly name: string;
  readonly group: Group;
  readonly why: string;
  readonly remedy: Command | null;
  readonly note: string | null;
}
