import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StretchCount } from '../../../../contracts/observation.ts';
import { TRACER_WAYS } from '../../../../contracts/tracers.ts';
import { forgetShared, namesIn } from '../../../../processes/shared-memory.ts';
import type { TracedCommand, TracerKind } from '../observer.ts';
import { ObserverError, Tool, takeLines } from '../tool.ts';
import { limitationOfProgram } from './program.ts';

const TRIAL_MS = 20_000;
/** Time limit for reporting on the largest trace, ms. */
const REPORT_MS = 120_000;
/** Maximum trace: some 20 million calls; a loop around malloc writes 75 MB per second. */
const MAX_BYTES = 512 * 2 ** 20;
const MAX_FUNCTIONS = 20_000;
const LONGEST_NAME = 300;

/** Options for calls from programs into libraries (`--force`: without instrumented code), without calls between libraries, and without events. */
const WORDS = ['record', '--force', '--no-event', '--no-pager'];

/**
 * Calls that the programs of a run's command make into libraries, and the time in them, as uftrace(1) records them: each call, of each process whose
 * program has the C library that uftrace has. On the host alone: it is loaded into what it traces, so that an image would have to hold it.
 */
export const uftrace: TracerKind = {
  name: 'uftrace',
  way: TRACER_WAYS.uftrace,
  places: 'host',
  async probe(folder) {
    forgetShared(folder);
    const data = join(folder, 'probe-uftrace');
    const tool = await Tool.start('uftrace', [...WORDS, '-d', data, '--', 'true']);
    tool.child.stdout?.resume();
    tool.child.stderr?.resume();
    try {
      if ((await tool.end(TRIAL_MS)) !== 0) throw new ObserverError('no-tracing');
    } finally {
      forgetShared(data);
    }
  },
  async begin(folder, command) {
    const limitation = limitationOfCommand(command);
    if (limitation !== null) throw new ObserverError(limitation);
    const [data, log] = [join(folder, 'trace'), join(folder, 'log')];
    return {
      tracer: { host: ['uftrace', ...WORDS, '-d', data, '--logfile', log, '--'] },
      room: { bytes: MAX_BYTES, used: () => sizeOf(data) },
      async end({ startNs, endNs }) {
        if (/\bLOST\b/.test(textOf(log))) throw new ObserverError('overrun');
        const calls = await reported(data);
        const stretch = { fromNs: startNs, toNs: endNs, errors: null };
        return {
          counts: calls.flatMap(({ name, calls: value, seconds }): StretchCount[] => [
            { ...stretch, kind: 'call', name, value },
            { ...stretch, kind: 'stretched', name, value: seconds },
          ]),
          samples: [],
        };
      },
      leave: () => forgetShared(data),
    };
  },
};

/** Limitation for a command of another user, which can't write to the trace and would end immediately. */
const limitationOfCommand = (command: TracedCommand) => (command.isOther ? 'other-user' : limitationOfProgram(command));

async function reported(data: string): Promise<Call[]> {
  const words = ['report', '--no-pager', '--color', 'no', '-f', 'call,self', '-d', data];
  const tool = await Tool.start('uftrace', words);
  const lines: string[] = [];
  tool.child.stderr?.resume();
  takeLines(tool.child.stdout, (line) => lines.length <= MAX_FUNCTIONS && lines.push(line));
  if ((await tool.end(REPORT_MS)) !== 0) throw new ObserverError('unreadable');
  if (lines.length > MAX_FUNCTIONS) throw new ObserverError('overrun');
  const calls = callsIn(lines);
  if (calls.length === 0) throw new ObserverError('no-profile');
  return calls;
}

interface Call {
  readonly name: string;
  readonly calls: number;
  readonly seconds: number;
}

/** Seconds per unit before the decimal point, and per unit of the number after it. */
const UNITS: Readonly<Record<string, readonly [number, number]>> = {
  us: [1e-6, 1e-9],
  ms: [1e-3, 1e-6],
  s: [1, 1e-3],
  // In uftrace's format, 1.030 m is one minute and thirty seconds.
  m: [60, 1],
};

/** Rows of `uftrace report -f call,self`: self time, calls, function. Throws ObserverError for hours, which uftrace prints incorrectly. */
export function callsIn(lines: readonly string[]): Call[] {
  const found = new Map<string, Call>();
  for (const line of lines) {
    const [, whole, part, unit = '', n, printed = ''] =
      /^ *(\d{1,3})\.(\d{3}) {1,2}(us|ms|s|m|h) +(\d{1,15}) {2}(\P{C}+)$/u.exec(line) ?? [];
    if (printed === '' || printed.length > LONGEST_NAME) continue;
    const size = UNITS[unit];
    if (size === undefined) throw new ObserverError('unreadable');
    // An unnamed function is printed as its address, which differs between runs.
    const name = /^<[\da-f]+>$/.test(printed) ? '[unknown]' : printed;
    const { calls, seconds } = found.get(name) ?? { calls: 0, seconds: 0 };
    const own = Number(whole) * size[0] + Number(part) * size[1];
    found.set(name, { name, calls: calls + Number(n), seconds: seconds + own });
  }
  return [...found.values()];
}

function sizeOf(folder: string): number {
  return namesIn(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
