import type { Limitation, ObserverData, StretchCount, Window } from '../../../../contracts/observation.ts';

interface BaseKind {
  readonly name: string;
}

/** A runtime that writes profile files if environment variables ask for it, each when its process ends. */
export interface FileProfiler extends BaseKind {
  readonly way: 'files';
  /** Values of its variables; `folder` only has letters, digits, "/", ".", "_" and "-". */
  words(folder: string): Readonly<Record<string, string>>;
  /** Files to place in its folder in advance, by name; absent: none. */
  readonly files?: Readonly<Record<string, string>>;
  /** Suffix of its profile files. */
  readonly suffix: string;
  /** Suffix of files that mark the start of a process; absent: processes without a profile are not recognized. */
  readonly begun?: string;
  /** Reads the samples in the window from a file, which may be made up; `folder` is private. Throws ObserverError. */
  read(content: Buffer, window: Window, folder: string): Promise<ObserverData['samples']>;
}

/** A server that keeps statistics of executed commands, which can be queried. */
export interface AskedProfiler extends BaseKind {
  readonly way: 'asked';
  readonly port: number;
  /** Totals so far, by name. Throws ObserverError. */
  ask(where: Server, signal: AbortSignal): Promise<Account>;
  /** Commands executed between two reads, as `StretchCount` without times. Throws ObserverError. */
  between(before: Account, after: Account): readonly Omit<StretchCount, 'fromNs' | 'toNs'>[];
}

/** Address and user of a server; null: the defaults of its own client. */
export interface Server {
  readonly host: string;
  readonly port: number;
  readonly user: string | null;
  readonly database: string | null;
}

/** Whether all targets have the host's process ids, or some have their own, in containers. */
export type Numbering = 'host' | 'own';

/** A program that profiles other processes from outside, by their ids. */
export interface AttachedProfiler extends BaseKind {
  readonly way: 'attached';
  /** Tests whether it works here. Throws ObserverError. */
  probe(): Promise<void>;
  /** Whether it supports this process. */
  isFor(pid: number): boolean;
  /** Command line that starts it; it writes `output` when interrupted or when the process ends, and prints a line once it samples. */
  command(pid: number, output: string, numbering: Numbering): readonly [program: string, ...args: string[]];
  /** Reads its output. Throws ObserverError. */
  read(content: Buffer): ObserverData['samples'];
  /** Limitation if it could not attach to an existing process. */
  limitation(): Limitation;
}

/** A server that reports its activity during a stretch of time, repeatedly. */
export interface PolledProfiler {
  /** Profiles it for a moment from now on. Throws ObserverError, or the signal's reason. */
  poll(where: Server, signal: AbortSignal): Promise<Polled>;
}

/** Samples without times, from a stretch of CLOCK_MONOTONIC. */
export interface Polled {
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly samples: ObserverData['samples'];
}

/** A runtime that writes files, or can be polled if a port is named. */
export interface FileProfilerWithPort extends FileProfiler {
  readonly atPort: PolledProfiler;
}

export type ProfilerKind = FileProfiler | FileProfilerWithPort | AskedProfiler | AttachedProfiler;

/** A server's statistics of one command. */
export interface Executed {
  readonly calls: number;
  readonly seconds: number;
  readonly errors: number;
}

export type Account = ReadonlyMap<string, Executed>;
