import type { Progress, Status } from '../measure/progress.ts';
import { cutWidth } from '../report/document/width.ts';
import { durationText } from '../text/numbers.ts';
import { screenText } from '../text/screen.ts';
import { atSpaces } from './terminal.ts';

export interface Screen {
  write(text: string): unknown;
  /** Whether the screen is interactive, so that a status line can be rewritten. */
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Minimum interval of status lines in a log, where each block gives one. */
const QUIET_MS = 20_000;
/** Interval at which a terminal's line is drawn anew: seldom enough to cost nothing in a window. */
const REDRAWN_MS = 5000;
/** Maximum silence in a log: then the current status is repeated, with the time since it began. */
const SILENCE_MS = 30_000;

/** Progress for a terminal (one line that is rewritten) or a log (new lines at intervals). */
export function terminalProgress(screen: Screen, now: () => number = Date.now): Progress {
  const { note, warn, ...rest } = screen.isTTY ? liveProgress(screen, now) : logProgress(screen, now);
  // These sentences may quote workloads, engines and files.
  return { ...rest, note: (text) => note(screenText(text)), warn: (text) => warn(screenText(text)) };
}

function liveProgress(screen: Screen, now: () => number): Progress {
  let open = false;
  let shown: { readonly status: Status; readonly since: number } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    if (shown === null) return;
    const text = statusLine(shown.status, (now() - shown.since) / 1000);
    screen.write(`\r\x1b[K${cutWidth(text, (screen.columns || 80) - 1)}`);
    open = true;
  };
  const line = (text: string): void => {
    screen.write(`${open ? '\r\x1b[K' : ''}${atSpaces(screen, text)}\n`);
    open = false;
  };
  return {
    note: line,
    warn: (text) => line(`Warning: ${text}`),
    status: (status) => {
      shown = { status, since: now() };
      draw();
      // The time that is left goes on, and the line is there again after a note.
      timer ??= setInterval(draw, REDRAWN_MS).unref();
    },
    end: () => {
      clearInterval(timer);
      [timer, shown] = [undefined, null];
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
    // One line per 30 s costs nothing beside the continuous readings, so it may be printed inside a window.
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

/** `passedS`: seconds since the status began. */
function statusLine(
  { done, total, block, blocks, warmup, variant, remainingS, calibrating, soFar }: Status,
  passedS = 0,
): string {
  const percent = `${Math.floor((100 * done) / total)} %`.padStart(5);
  const where = warmup ? `warm-up${calibrating ? ', calibrating' : ''}` : `block ${block} of ${blocks}`;
  const left =
    remainingS === null
      ? ''
      : ` · ${soFar === null ? '' : 'at most '}${durationText(Math.max(0, remainingS - passedS))} left`;
  const seen = soFar === null ? '' : ` · so far ${soFar}`;
  // The name comes last, since narrow terminals cut off the end of the line.
  return `${percent}${left}${seen} · ${where} · run ${done + 1} of ${total}: ${variant}`;
}
