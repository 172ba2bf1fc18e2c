import { type Frame, type StackSample, UNTIMED } from '../../../../../contracts/observation.ts';
import { KnownStacks } from '../../stacks.ts';
import { ObserverError } from '../../tool.ts';

const MAX_FRAMES = 200;
const MAX_NAME = 300;
/** Maximum characters of a name with its path. */
const LONGEST = 4096;
const MAX_SAMPLES = 500_000;
/** Files of Python's standard library, without installed packages. */
const OWN_LIBRARY = /(?:^|\/)lib(?:64)?\/python\d[\d.]*t?\/(?!(?:site|dist)-packages\/)|^<frozen /;
/** Library name for code of the runtime itself. */
export const INTERNAL = 'python:internal';

/**
 * The samples of `py-spy record -f raw -F --full-filenames`: a line a stack, `name (file:line);…;name (file:line) COUNT`, the outermost first, and each
 * look stands for `weightNs`. It tells no times. Throws ObserverError where it is something else.
 */
export function samplesOf(text: string, weightNs: number): StackSample[] {
  const stacks = new KnownStacks(frameOf);
  const all: StackSample[] = [];
  for (const line of linesOf(text)) {
    if (line === '') continue;
    const [, stack = '', count = ''] = /^(.*) (\d{1,9})$/.exec(line) ?? [];
    if (count === '') throw new ObserverError('unreadable');
    if (all.length + Number(count) > MAX_SAMPLES) throw new ObserverError('wrote-too-much');
    const frames = stacks.of(stack.split(';').slice(-MAX_FRAMES));
    if (frames === null) throw new ObserverError('wrote-too-much');
    for (let i = 0; i < Number(count); i++) all.push({ tNs: UNTIMED, weightNs, frames });
  }
  return all;
}

/** Iterates lazily, since a file of line breaks only would make a huge list. */
function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = text.indexOf('\n', from);
    yield text.slice(from, to < 0 ? text.length : to);
    if (to < 0) return;
    from = to + 1;
  }
}

/** A running thread without Python functions on its stack. */
const NATIVE: Frame = { name: '(native)', library: INTERNAL };

/** Parses `handle (/srv/app.py:12)`: the line is the function's first, used as its name if it has none. */
function frameOf(whole: string): Frame {
  if (whole === '') return NATIVE;
  const given = whole.slice(0, LONGEST);
  const [, name = given, path = '', line = ''] = /^(.*?) \((.*?)(?::(\d{1,9}))?\)$/.exec(given) ?? [];
  if (path === '') return { name: name.slice(0, MAX_NAME) || '[unknown]', library: null };
  const file = path.replace(/^.*\//, '');
  const at = /^<(?!module>)/.test(name) && line !== '' ? `${file}:${line}` : file;
  const library = OWN_LIBRARY.test(path) ? INTERNAL : path.slice(0, MAX_NAME);
  return { name: `${name} (${at})`.slice(0, MAX_NAME), library };
}
