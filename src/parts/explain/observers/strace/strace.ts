import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ObserverData, StretchCount, Window } from '../../../../contracts/observation.ts';
import { OWN_FOLDER, type Tracer } from '../../../../contracts/observing.ts';
import { TRACER_WAYS } from '../../../../contracts/tracers.ts';
import type { TracerKind } from '../observer.ts';
import { ObserverError, Tool, takeLines } from '../tool.ts';

const TRIAL_MS = 20_000;
/** Maximum size of the table: no real one is longer, but any process in an image may write to it. */
const MAX_BYTES = 2 ** 20;
/** Folder of its files in an image. */
const INSIDE = `${OWN_FOLDER}strace`;
const WRITTEN = `${INSIDE}/table`;

/** Options for a table of all calls of the command and its children, with wall-clock seconds, so including waiting; prints nothing else. */
export const WORDS = ['-f', '-c', '-w', '-qq'];

/**
 * System calls with their errors and the time in them, as strace(1) counts them: of the run's own command, from its first instruction to its last. It is
 * started under strace, which needs no rights for its own children. In a container it is this machine's strace, with the libraries that it needs and their
 * loader, so that no image needs to hold any of it.
 */
export const strace: TracerKind = {
  name: 'strace',
  way: TRACER_WAYS.strace,
  places: 'any',
  async probe(folder) {
    const tool = await Tool.start('strace', [...WORDS, '-o', join(folder, 'probe-strace'), '--', 'true']);
    tool.child.stdout?.resume();
    tool.child.stderr?.resume();
    if ((await tool.end(TRIAL_MS)) !== 0) throw new ObserverError('no-tracing');
  },
  async begin(folder) {
    const onHost = join(folder, 'table');
    const inside = await filesForImages();
    const tracer: Tracer = { host: ['strace', ...WORDS, '-o', onHost, '--'], inside: { ...inside, into: folder } };
    return { tracer, end: async (window) => seenIn([onHost, join(folder, WRITTEN)], window) };
  },
};

/** strace's files for an image: the program alone if it is static, else with its libraries, started by their loader. */
async function filesForImages(): Promise<Omit<NonNullable<Tracer['inside']>, 'into'>> {
  const [program] = await linesOf('sh', ['-c', 'command -v strace']);
  if (program === undefined) throw new ObserverError('no-tool');
  const linked = await linesOf('ldd', [program]).catch(() => []);
  const paths = linked.flatMap((line) => /(?:=>\s*|^\s*)(\/\S+)\s+\(0x[\da-f]+\)$/.exec(line)?.[1] ?? []);
  const loader = paths.find((path) => /^ld[-.]|^ld64/.test(basename(path)));
  const at = (path: string): string => `${INSIDE}/${basename(path)}`;
  const files = [program, ...paths].map((path) => ({ path: at(path), mode: 0o755, content: readFileSync(path) }));
  const start = loader === undefined ? [at(program)] : [at(loader), '--library-path', INSIDE, at(program)];
  return {
    words: [...start, ...WORDS, '-o', WRITTEN, '--'],
    // Writable for any user of the container.
    files: [...files, { path: WRITTEN, mode: 0o666, content: Buffer.alloc(0) }],
    written: WRITTEN,
  };
}

async function linesOf(program: string, args: readonly string[]): Promise<string[]> {
  const tool = await Tool.start(program, args);
  const lines: string[] = [];
  tool.child.stderr?.resume();
  takeLines(tool.child.stdout, (line) => lines.push(line));
  if ((await tool.end(TRIAL_MS)) !== 0) throw new ObserverError('unreadable');
  return lines;
}

export function seenIn(paths: readonly string[], { startNs, endNs }: Window): ObserverData {
  const calls = callsIn(paths.map(readSome).join('\n'));
  if (calls.length === 0) throw new ObserverError('unreadable');
  const stretch = { fromNs: startNs, toNs: endNs };
  return {
    counts: calls.flatMap(({ name, calls: value, errors, seconds }): StretchCount[] => [
      { ...stretch, kind: 'syscall', name, value, errors },
      { ...stretch, kind: 'stretched', name, value: seconds, errors: null },
    ]),
    samples: [],
  };
}

/** Content of the file, empty if it is missing; an image's user may have written anything. */
function readSome(path: string): string {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return '';
  }
  try {
    if (!fstatSync(file).isFile()) return '';
    const bytes = Buffer.alloc(MAX_BYTES);
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, MAX_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

interface Call {
  readonly name: string;
  readonly calls: number;
  readonly errors: number;
  readonly seconds: number;
}

/** The rows of `strace -c`: share, seconds, microseconds a call, calls, errors (where there are any), name. A table each for programs of 64 and of 32 bits. */
export function callsIn(text: string): Call[] {
  const found = new Map<string, Call>();
  for (const line of text.split('\n')) {
    const [, s = '', n = '', e = '0', name = ''] =
      /^ *[\d.]{1,20} +(\d{1,12}\.\d{1,12}) +\d{1,15} +(\d{1,15})(?: +(\d{1,15}))? +([a-z_]\w{0,63})$/i.exec(line) ??
      [];
    if (name === '' || name === 'total') continue;
    const { calls, errors, seconds } = found.get(name) ?? { calls: 0, errors: 0, seconds: 0 };
    found.set(name, { name, calls: calls + Number(n), errors: errors + Number(e), seconds: seconds + Number(s) });
  }
  return [...found.values()];
}
