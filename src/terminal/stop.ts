import { messageOf, Stopped } from '../errors.ts';
import { stopOnSignals } from '../system/stop.ts';
import { goOnWords } from '../text/way-in.ts';
import type { Streams } from './terminal.ts';

/** AbortSignal for a command that cleans up; if `isMeasuring`, stderr reports the stop, since cleaning up takes a moment. */
export function stopSignal({ stderr }: Pick<Streams, 'stderr'>, isMeasuring = false): AbortSignal {
  const { signal } = stopOnSignals((reason) => {
    const isStop = reason instanceof Stopped;
    if (!isStop) stderr.write(`\nSomething in joulediff is broken: ${messageOf(reason)}.\n`);
    if (!isMeasuring) return;
    const begin = isStop ? `\nGot ${reason.signalName}:` : 'Now';
    stderr.write(`${begin} ending the run in progress and cleaning up. Finished runs are kept; ${goOnWords()}.\n`);
  });
  return signal;
}
