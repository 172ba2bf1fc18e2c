import type { Limitation, Seen, StretchCount, Window } from '../../../../contracts/observation.ts';

interface BaseKind {
  readonly name: string;
}

/** A runtime that writes files of its own when variables tell it to, each when its process ends. */
export interface FileProfiler extends BaseKind {
  readonly way: 'files';
  /** What its variables get; `folder` has letters, digits, "/", ".", "_" and "-" alone. */
  words(folder: string): Readonly<Record<string, string>>;
  /** What is in its folder from the beginning, by name; absent: nothing. */
  readonly files?: Readonly<Record<string, string>>;
  /** How the names of its files end. */
  readonly suffix: string;
  /** How the names of those end that tell of a process that began; absent: nothing tells of one that could write no more. */
  readonly begun?: string;
  /** What is in one of its files, which may have been made up, as far as it is in the window; `folder` is private. Throws ObserverError. */
  read(content: Buffer, window: Window, folder: string): Promise<Seen['samples']>;
}

/** A server that keeps accounts of what it executes, and tells them to whoever asks. */
export interface AskedProfiler extends BaseKind {
  readonly way: 'asked';
  readonly port: number;
  /** Its totals up to now, by name. Throws ObserverError. */
  ask(where: Server, signal: AbortSignal): Promise<Account>;
  /** What was executed between two looks; `StretchCount` without its times. Throws ObserverError. */
  between(before: Account, after: Account): readonly Omit<StretchCount, 'fromNs' | 'toNs'>[];
}

/** Where a server is, and as whom it is asked; null: as its own program does it. */
export interface Server {
  readonly host: string;
  readonly port: number;
  readonly user: string | null;
  readonly database: string | null;
}

/** Whether all that an experiment looks at has the numbers of this machine's processes, or some of it, in containers, numbers of its own. */
export type Numbering = 'host' | 'own';

/** A program that looks at others from outside, each by its number. */
export interface AttachedProfiler extends BaseKind {
  readonly way: 'attached';
  /** Whether it works here. Throws ObserverError. */
  probe(): Promise<void>;
  /** Whether it can look at this process. */
  isFor(pid: number): boolean;
  /** Words that start it; it writes to `output` when it is interrupted or the process ends, and prints a line as soon as it looks. */
  command(pid: number, output: string, numbering: Numbering): readonly [program: string, ...args: string[]];
  /** What it wrote. Throws ObserverError. */
  read(content: Buffer): Seen['samples'];
  /** Why it could not look at a process that is there. */
  limitation(): Limitation;
}

/** A server that tells what it was doing in a stretch of time, again and again. */
export interface PolledProfiler {
  /** What it did from now on for a moment. Throws ObserverError, or the signal's reason. */
  poll(where: Server, signal: AbortSignal): Promise<Polled>;
}

/** Samples without times, of a stretch of CLOCK_MONOTONIC. */
export interface Polled {
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly samples: Seen['samples'];
}

/** A runtime that writes files, and can be asked as well where a port is named. */
export interface FileProfilerWithPort extends FileProfiler {
  readonly atPort: PolledProfiler;
}

export type ProfilerKind = FileProfiler | FileProfilerWithPort | AskedProfiler | AttachedProfiler;

/** What a server counted of one command. */
export interface Executed {
  readonly calls: number;
  readonly seconds: number;
  readonly errors: number;
}

export type Account = ReadonlyMap<string, Executed>;
