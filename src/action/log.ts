import * as core from '@actions/core';
import { logLine } from '../forge/untrusted.ts';
import type { Progress } from '../measure/progress.ts';
import { terminalProgress } from '../terminal/progress.ts';
import { maskSecrets } from '../text/credentials.ts';
import { screenText } from '../text/screen.ts';
import type { Check } from './part.ts';

/**
 * What the action says in the log of its job. A line of `info` is made safe from being taken for a command of the runner; the others are commands
 * themselves, which the runner shows on the page of the job, and may have several lines.
 */
export const log = {
  info: (line: string): void => core.info(logLine(maskSecrets(line))),
  notice: (text: string, title?: string): void => core.notice(screenText(text), title === undefined ? {} : { title }),
  warn: (text: string): void => core.warning(screenText(text)),
  /** Fails the step. */
  fail: (text: string): void => core.setFailed(screenText(text)),
};

/** Progress of an experiment, for the log and for checks that say how long it still takes. */
export function logProgress(checks: readonly Pick<Check, 'progress'>[]): Progress {
  const shown = terminalProgress({ write: log.info });
  return {
    ...shown,
    warn: log.warn,
    status: (status) => {
      shown.status(status);
      if (status.remainingS === null) return;
      for (const { progress } of checks) progress(status.remainingS, status.soFar !== null);
    },
  };
}
