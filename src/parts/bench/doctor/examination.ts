import type { KvmState } from '../../../executors/vm/kvm.ts';
import type { SettingName } from '../../../findings/conditions.ts';
import type { MachineFiles } from '../../../machine/files.ts';
import type { KernelMessage } from '../../../machine/kernel-log.ts';

export type State = 'ok' | 'warn' | 'fail' | 'unknown';

/** First word of a remedy, which is pasted into a shell: these types exclude sentences. */
type Program = 'chronyc' | 'docker' | 'echo' | 'env' | 'for' | 'joulediff' | 'sudo' | 'top' | 'watch';
export type Command = `${Program} ${string}`;

/** Result of an examination. */
export interface Finding {
  /** `fail`: measuring on this machine is useless. `unknown`: it could not be determined, and `seen` says why. */
  readonly state: State;
  /** The finding, without a full stop. */
  readonly seen: string;
  /** A command that shows the finding. */
  readonly how: string;
  /** Command that fixes the problem or, if that takes manual work, verifies it; absent: nothing to do. */
  readonly remedy?: Command | undefined;
  /** Sentences that complete the remedy. */
  readonly note?: string | undefined;
}

/** One check of the doctor, with all its texts and code. */
export interface Examination {
  readonly name: string;
  /** Heading of its group. */
  readonly group: Group;
  /** Why it matters for a measurement, as a sentence. */
  readonly why: string;
  /** Performs the check. Never throws because of the machine's state. */
  examine(patient: Patient): Finding | Promise<Finding>;
}

/** Group membership is read at login. */
export const LOG_IN_AGAIN = 'It takes effect when the user logs in again, and for a runner when it is started again.';

/** Note that `quiet` sets and restores this during experiments; undefined: not on another machine. */
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
  /** Names of the running containers, without those of joulediff. */
  readonly running: readonly string[];
}

/** Why something is not available. */
export interface Trouble {
  readonly why: string;
  /** Advice, in sentences. */
  readonly advice: string | null;
  /** Error code of the system, such as EACCES; null: the error is not from the system. */
  readonly code: string | null;
}

/** A meter that was opened successfully. */
export interface OpenedMeter {
  readonly name: string;
  readonly source: 'measured' | 'modelled' | 'emulated';
  readonly sees: string;
  /** Result of `meter check`; null: this meter was never checked on this machine. */
  readonly passport: { readonly at: string; readonly passed: boolean } | null;
}

/** The user who measures. */
export interface Person {
  readonly name: string;
  readonly uid: number;
  /** Names of the user's groups. */
  readonly groups: readonly string[];
}

/** The examined machine, as far as this user can see it. */
export interface Patient {
  /** Address of another machine, `ssh://sut`; null: this machine. */
  readonly host: string | null;
  /** Its files; for another machine, only those that were fetched. */
  readonly files: MachineFiles;
  readonly person: Person;
  /** Processors used by other programs, and their names; null: unknown. */
  load(): Promise<{ readonly processors: number; readonly names: readonly string[] } | null>;
  /** The engine, or why it can't be queried. */
  engine(): Promise<Engine | Trouble>;
  /** Address of the engine from the environment; null: not set. */
  readonly engineAddress: string | null;
  /** The meter, which is always connected here, or why there is none. Null: no meter was named for another machine. */
  meter(): Promise<OpenedMeter | Trouble | null>;
  /** Output of a program; null: it does not exist there, or failed. */
  output(program: string, args: readonly string[]): Promise<string | null>;
  /** Free bytes for this user; null: unknown. */
  freeBytes(path: string): number | null;
  /** All messages in the kernel's buffer; null: this user may not read them. */
  kernelMessages(): readonly KernelMessage[] | null;
  /** Whether KVM works, tested by booting a small guest; null: not tested on another machine. */
  kvm(): Promise<KvmState | null>;
  /** Which other experiment uses the machine, as a sentence; null: none. */
  busyWith(): string | null;
}

export interface Examined extends Omit<Finding, 'remedy' | 'note'> {
  readonly name: string;
  readonly group: Group;
  readonly why: string;
  readonly remedy: Command | null;
  readonly note: string | null;
}
