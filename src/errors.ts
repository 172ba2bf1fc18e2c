import { constants } from 'node:os';
import { getSystemErrorMessage } from 'node:util';

/**
 * Errors that a person is meant to read: what was given, what is wrong, what to do.
 * Each carries the exit code of the terminal program and, where there is one, its cause.
 */
export class JoulediffError extends Error {
  readonly exitCode: number;
  /** What the reader can do about it; a sentence, shown on a line of its own. */
  readonly advice: string | null;
  /** Name of the variant whose command, hook or place failed; null: something else did. */
  variant: string | null = null;

  constructor(message: string, options: { exitCode: number; advice?: string | undefined; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.exitCode = options.exitCode;
    this.advice = options.advice ?? null;
  }
}

/** The user's input is wrong and nothing was started (exit code 2). */
export class InputError extends JoulediffError {
  constructor(message: string, options: { advice?: string | undefined; cause?: unknown } = {}) {
    super(message, { exitCode: 2, ...options });
  }
}

/** It could not be measured: meter lost, workload failed, image missing (exit code 3). What was measured is kept. */
export class MeasureError extends JoulediffError {
  constructor(message: string, options: { advice?: string | undefined; cause?: unknown } = {}) {
    super(message, { exitCode: 3, ...options });
  }
}

/** Exit code of something in joulediff that is broken. */
export const BROKEN = 4;

/**
 * Every signal that would end this process and can be caught: a terminal that hangs up (SIGHUP) must no more leave a workload behind than
 * Ctrl-C. Those of a fault in the program itself (SIGSEGV and the like) can't be gone on from; SIGPIPE is an error of the write.
 */
export const STOP_SIGNALS = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGABRT',
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGTERM',
  'SIGSTKFLT',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGVTALRM',
  'SIGPROF',
  'SIGIO',
  'SIGPWR',
] as const;

export type StopSignal = (typeof STOP_SIGNALS)[number];

/** Ended from outside by a signal: the reason of the AbortSignal that ends everything tidily. */
export class Stopped extends JoulediffError {
  readonly signalName: StopSignal;

  constructor(signalName: StopSignal) {
    // 128 + N, as shells count.
    super(`stopped by ${signalName}`, { exitCode: 128 + constants.signals[signalName] });
    this.signalName = signalName;
  }
}

/** A text for any thrown value, for messages that quote their cause. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message || getErrorCode(thrown) || thrown.name : String(thrown);
}

/** The same without what Node adds for programmers: `no space left on device`, and not the call with its paths. */
export function systemMessage(thrown: unknown): string {
  const errno = (thrown as { errno?: unknown } | null | undefined)?.errno;
  return typeof errno === 'number' ? getSystemErrorMessage(errno) : messageOf(thrown);
}

/** `ENOENT` and the like of a system's error; empty for any other. */
export function getErrorCode(thrown: unknown): string {
  const code = (thrown as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

/** A sentence without its full stop, to be quoted inside another. */
export const withoutFullStop = (text: string): string => text.replace(/[.\s]+$/, '');
