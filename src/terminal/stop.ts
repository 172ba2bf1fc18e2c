import { messageOf, Stopped } from '../errors.ts';
import { stopOnSignals } from '../system/stop.ts';
import { goOnWords } from '../text/way-in.ts';
import type { Streams } from './terminal.ts';

/** AbortSignal for a command that cleans up; if `isMeasuring`, stderr reports the stop, since cleaning up takes a moment. */
export function stopSignal({ stderr }: Pick<Streams, 'stderr'>, isMeasuring = false): AbortSignal {
  const ending = 'ending the run in progress and cleaning up. Finished runs are kept';
  const { signal } = stopOnSignals((reason) => {
    if (!(reason instanceof Stopped)) {
      stderr.write(
        `\nSomething in joulediff is broken: ${messageOf(reason)}.\n${isMeasuring ? `Now ${ending}; ${goOnWords()}.\n` : ''}`,
      );
    } else if (isMeasuring) {
      stderr.write(`\nGot ${reason.signalName}: ${ending}; ${goOnWords()}.\n`);
    }
  });
  return signal;
}
