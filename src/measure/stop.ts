/** Why an experiment is ended from outside: the reason of its AbortSignal. */
export class Stopped extends Error {
  readonly signalName: 'SIGINT' | 'SIGTERM';

  constructor(signalName: 'SIGINT' | 'SIGTERM') {
    super(`stopped by ${signalName}`);
    this.name = 'Stopped';
    this.signalName = signalName;
  }

  /** 128 + N, as shells count. */
  get exitCode(): number {
    return this.signalName === 'SIGINT' ? 130 : 143;
  }
}

/** True for the recorded reason of a run that was in progress then. */
export const isStopReason = (reason: string | null): boolean => reason?.startsWith('stopped by ') ?? false;
