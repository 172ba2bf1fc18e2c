import type { Progress, Status } from '../measure/progress.ts';
import { durationText } from './terminal.ts';

export interface Screen {
  write(text: string): unknown;
  /** A person sits before it: the status may rewrite its line. */
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** In a log that nobody can rewrite, a status line comes with each block, but no more often than this. */
const QUIET_MS = 20_000;

/** Progress for a terminal (one line that is rewritten) or a log (a line now and then). */
export function terminalProgress(screen: Screen, now: () => number = Date.now): Progress {
  return screen.isTTY ? liveProgress(screen) : logProgress(screen, now);
}

function liveProgress(screen: Screen): Progress {
  let open = false;
  const line = (text: string): void => {
    screen.write(`${open ? '\r\x1b[K' : ''}${text}\n`);
    open = false;
  };
  return {
    note: line,
    warn: (text) => line(`Warning: ${text}`),
    status: (status) => {
      screen.write(`\r\x1b[K${statusLine(status).slice(0, (screen.columns ?? 80) - 1)}`);
      open = true;
    },
    end: () => {
      if (open) screen.write('\r\x1b[K');
      open = false;
    },
  };
}

function logProgress(screen: Screen, now: () => number): Progress {
  let last = Number.NEGATIVE_INFINITY;
  let block: number | null = null;
  return {
    note: (text) => screen.write(`${text}\n`),
    warn: (text) => screen.write(`Warning: ${text}\n`),
    status: (status) => {
      if (status.block === block || now() - last < QUIET_MS) return;
      block = status.block;
      last = now();
      screen.write(`${statusLine(status)}\n`);
    },
    end: () => {},
  };
}

function statusLine({ done, total, block, blocks, warmup, variant, remainingS }: Status): string {
  const percent = `${Math.floor((100 * done) / total)} %`.padStart(5);
  const where = warmup ? 'warm-up' : `block ${block} of ${blocks}`;
  const left = remainingS === null ? '' : ` · ${durationText(remainingS)} left`;
  return `${percent} · ${where} · run ${done + 1} of ${total}: ${variant}${left}`;
}
