import { type Frame, type StackSample, UNTIMED } from '../../observer.ts';
import { ObserverError } from '../../tool.ts';

const MOST_FRAMES = 200;
const MOST_NAME = 300;
/** Characters of a name with its path. */
const LONGEST = 4096;
const MOST_SAMPLES = 500_000;
/** Python's own library, whatever is installed into it left out. */
const OWN_LIBRARY = /(?:^|\/)lib(?:64)?\/python\d[\d.]*t?\/(?!(?:site|dist)-packages\/)|^<frozen /;
/** What the runtime brings along. */
export const INTERNAL = 'python:internal';

/**
 * The samples of `py-spy record -f raw -F --full-filenames`: a line a stack, `name (file:line);…;name (file:line) COUNT`, the outermost first, and each
 * look stands for `weightNs`. It tells no times. Throws ObserverError where it is something else.
 */
export function samplesOf(text: string, weightNs: number): StackSample[] {
  const frames = new Map<string, Frame>();
  const all: StackSample[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, stack = '', looks = ''] = /^(.*) (\d{1,9})$/.exec(line) ?? [];
    if (looks === '') throw new ObserverError('unreadable');
    if (all.length + Number(looks) > MOST_SAMPLES) throw new ObserverError('wrote-too-much');
    const found = stack
      .split(';')
      .slice(0, MOST_FRAMES)
      .map((given) => {
        const frame = frames.get(given) ?? frameOf(given);
        frames.set(given, frame);
        return frame;
      });
    for (let i = 0; i < Number(looks); i++) all.push({ tNs: UNTIMED, weightNs, frames: found });
  }
  return all;
}

/** A thread that runs, with no function of Python on its stack. */
const NATIVE: Frame = { name: '(native)', library: INTERNAL };

/** `handle (/srv/app.py:12)`: the line is that of the function's beginning, and known where it has no name of its own. */
function frameOf(whole: string): Frame {
  if (whole === '') return NATIVE;
  const given = whole.slice(0, LONGEST);
  const [, name = given, path = '', line = ''] = /^(.*?) \((.*?)(?::(\d{1,9}))?\)$/.exec(given) ?? [];
  if (path === '') return { name: name.slice(0, MOST_NAME) || '[unknown]', library: null };
  const file = path.replace(/^.*\//, '');
  const at = /^<(?!module>)/.test(name) && line !== '' ? `${file}:${line}` : file;
  const library = OWN_LIBRARY.test(path) ? INTERNAL : path.slice(0, MOST_NAME);
  return { name: `${name} (${at})`.slice(0, MOST_NAME), library };
}
