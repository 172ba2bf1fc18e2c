import type { Execution } from '../../contracts/execution.ts';
import type { PlaceFacts } from '../../contracts/variant.ts';
import { MeasureError } from '../../errors.ts';
import { type ClockPoint, windowHere } from '../../hosts/clock.ts';
import type { Connection } from '../../hosts/connection.ts';
import type { RemoteHost } from '../../hosts/host.ts';
import { HostLostError } from '../../hosts/link.ts';
import { PIECE_BYTES } from '../../hosts/operations.ts';
import { nowNs } from '../../system/clock.ts';
import { PlaceLostError } from '../failures.ts';
import { leftOutNote, MAX_OUTPUT } from '../output-limit.ts';

// Shared code for processes and containers on another machine.

/** Upper bound on the output that is fetched, half from each end: a log keeps less. */
export const MAX_BROUGHT_BYTES = 16 * 2 ** 20;
const TAIL_CHARACTERS = 4000;
/** Most bytes of a character in UTF-8. */
const MAX_CHARACTER_BYTES = 4;
/** Time limit for a workload there to end when it is stopped, and for the helper to report that. */
const STOP_MS = 4000;
/** Time after a timeout when a silent helper counts as gone: it ends a command that takes longer by itself. */
const LATE_MS = 60_000;
/** Longest timer, below the 2^31 - 1 ms of Node.js: a longer one fires at once. A dead connection is noticed earlier, by its sign of life. */
const LONGEST_MS = 2_000_000_000;

/** Runs of two machines are no neighbors of each other, whatever name both answer to: gives which it is. Throws MeasureError where it is not that of the record. */
export function checkMachine(host: RemoteHost, experimentId: string, recorded: PlaceFacts | undefined): PlaceFacts {
  const { machine, hardware } = host.machineIn(experimentId);
  const facts = { host_machine: machine, host_hardware: hardware };
  if (recorded === undefined) return facts;
  const before = recorded.host_machine ?? null;
  if (machine === null || before === null) {
    throw new MeasureError(
      `${host.address} doesn’t say which machine it is (it has no /etc/machine-id), so it may be another one than before.`,
      { advice: 'Begin a new experiment, without --resume.' },
    );
  }
  if (machine !== before) throw host.anotherMachine();
  if (hardware !== (recorded.host_hardware ?? null)) throw host.otherHardware();
  return facts;
}

/** Reports a lost machine as a lost place. */
export async function telling<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    if (!(thrown instanceof HostLostError)) throw thrown;
    throw new PlaceLostError(thrown.message, { cause: thrown });
  }
}

/** The execution with its window on this machine's clock. Throws PlaceLostError where that is unknown, and HostLostError. */
export async function onOurClock(
  execution: Execution,
  ended: { readonly start: number; readonly end: number },
  before: ClockPoint,
  host: RemoteHost,
): Promise<Execution> {
  const after = await host.clock();
  const window = windowHere({ startNs: BigInt(ended.start), endNs: BigInt(ended.end) }, before, after);
  if (window === null) {
    throw new PlaceLostError(
      `The clock of ${host.address} did not run on evenly: the machine was suspended, or its clock was set.`,
    );
  }
  const { edgeS, lengthS, ...edges } = window;
  return { ...execution, ...edges, clock: { edgeS, lengthS } };
}

/** Both ends of the output of the last command or container. Throws HostLostError. */
export async function printedThere(host: RemoteHost): Promise<string> {
  return textOf(await bringPrinted(host));
}

/** The last of what the last command or container printed. Throws HostLostError. */
export async function tailThere(host: RemoteHost): Promise<string> {
  const printed = await bringPrinted(host, 2 * MAX_CHARACTER_BYTES * TAIL_CHARACTERS);
  return textOf(printed).slice(-TAIL_CHARACTERS);
}

/** Output on another machine: both ends, and the number of bytes left out between them. */
export interface PrintedThere {
  readonly parts: readonly Buffer[];
  readonly leftOut: number;
}

/** Fetches the output of the last command or container. Throws HostLostError. */
export async function bringPrinted(
  { connection }: Pick<RemoteHost, 'connection'>,
  mostBytes = MAX_BROUGHT_BYTES,
): Promise<PrintedThere> {
  const { size } = await connection.ask('printed', { begin: 0, end: 0 });
  const half = mostBytes / 2;
  const ends = size <= mostBytes ? [[0, size] as const] : [[0, half] as const, [size - half, size] as const];
  const parts: Buffer[] = [];
  for (const [first, last] of ends) {
    const pieces: Buffer[] = [];
    for (let begin = first; begin < last; begin += PIECE_BYTES) {
      const { data } = await connection.ask('printed', { begin, end: Math.min(begin + PIECE_BYTES, last) });
      pieces.push(Buffer.from(data, 'base64'));
    }
    parts.push(Buffer.concat(pieces));
  }
  return { parts, leftOut: Math.max(0, size - mostBytes) };
}

export const textOf = ({ parts, leftOut }: PrintedThere): string =>
  parts.map((part) => part.toString()).join(leftOut > 0 ? leftOutNote(leftOut) : '');

export const printedTooMuch = (subject: string): MeasureError =>
  new MeasureError(
    `${subject} printed more than ${MAX_OUTPUT}, and was ended for it: that much isn't kept on another machine.`,
  );

/** Time limit for the report of an end; null: none. */
export function answerLimitMs(timeoutS: number | null, executions: number): number | null {
  const limitMs = timeoutS === null ? Infinity : 1000 * timeoutS * executions + LATE_MS;
  return limitMs > LONGEST_MS ? null : limitMs;
}

/** Makes a stop end what runs there; if that takes too long, it closes the connection, which ends it as well. */
export function stoppedBy(signal: AbortSignal, connection: Connection): Disposable {
  let giveUp: NodeJS.Timeout | undefined;
  const stop = () => {
    connection.tell('stop', {});
    giveUp = setTimeout(() => connection.drop('it did not end what it ran'), STOP_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  return {
    [Symbol.dispose]() {
      clearTimeout(giveUp);
      signal.removeEventListener('abort', stop);
    },
  };
}

/** Execution of a command that was stopped, and whose end was not reported. */
export function stoppedSince(startNs: bigint): Execution {
  const stopped = { exitCode: null, signal: 'SIGKILL', timedOut: false, outputTail: '', leftRunning: null } as const;
  return { startNs, endNs: nowNs(), ...stopped, limit: null, startUpS: null };
}
