import type { Progress, Status } from '../measure/progress.ts';
import { durationText } from '../text/numbers.ts';
import { screenText } from '../text/screen.ts';
import { atSpaces } from './terminal.ts';

export interface Screen {
  write(text: string): unknown;
  /** A person sits before it: the status may rewrite its line. */
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** In a log that nobody can rewrite, a status line comes with each block, but no more often than this. */
const QUIET_MS = 20_000;
/** A log is never silent for longer: what takes so long is told again, with the time that it has taken. */
const SILENCE_MS = 30_000;

/** Progress for a terminal (one line that is rewritten) or a log (a line now and then). */
export function terminalProgress(screen: Screen, now: () => number = Date.now): Progress {
  const { note, warn, ...rest } = screen.isTTY ? liveProgress(screen) : logProgress(screen, now);
  // Sentences quote what workloads, engines and files say.
  return { ...rest, note: (text) => note(screenText(text)), warn: (text) => warn(screenText(text)) };
}

function liveProgress(screen: Screen): Progress {
  let open = false;
  const line = (text: string): void => {
    screen.write(`${open ? '\r\x1b[K' : ''}${atSpaces(screen, text)}\n`);
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
  let doing = { since: now(), line: (_: number): string => '' };
  let timer: NodeJS.Timeout | undefined;
  const write = (line: string): void => {
    screen.write(`${line}\n`);
    // A line in 30 s is nothing beside the readings that are taken all the time, so it may come inside a window.
    clearTimeout(timer);
    timer = setTimeout(() => write(doing.line((now() - doing.since) / 1000)), SILENCE_MS).unref();
  };
  const begin = (line: (seconds: number) => string): void => {
    doing = { since: now(), line };
  };
  return {
    note: (text) => {
      begin((seconds) => `… for ${durationText(seconds)}: ${text}`);
      write(text);
    },
    warn: (text) => write(`Warning: ${text}`),
    status: (status) => {
      begin((seconds) => `${statusLine(status, seconds)} · for ${durationText(seconds)}`);
      if (status.block === block || now() - last < QUIET_MS) return;
      block = status.block;
      last = now();
      write(statusLine(status));
    },
    end: () => clearTimeout(timer),
  };
}

/** `passedS`: since the status was told. */
function statusLine(
  { done, total, block, blocks, warmup, variant, remainingS, calibrating, soFar }: Status,
  passedS = 0,
): string {
  const percent = `${Math.floor((100 * done) / total)} %`.padStart(5);
  const where = warmup ? `warm-up${calibrating ? ', calibrating' : ''}` : `block ${block} of ${blocks}`;
  const left =
    remainingS === null ? '' : ` · ${soFar === null ? '' : 'at most '}${durationText(remainingS - passedS)} left`;
  const seen = soFar === null ? '' : ` · so far ${soFar}`;
  // The name is last, since the line of a narrow terminal is cut off.
  return `${percent}${left}${seen} · ${where} · run ${done + 1} of ${total}: ${variant}`;
}
