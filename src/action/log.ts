import * as core from '@actions/core';
import { logLine } from '../forge/untrusted.ts';
import type { Progress } from '../measure/progress.ts';
import { terminalProgress } from '../terminal/progress.ts';
import { maskSecrets } from '../text/credentials.ts';
import { screenText } from '../text/screen.ts';
import type { Check } from './part.ts';

/**
 * Log of the job. Lines of `info` are escaped, so that the runner takes none for a command; the others are commands,
 * which the runner shows on the job's page, and may have several lines.
 */
export const log = {
  info: (line: string): void => core.info(logLine(maskSecrets(line))),
  notice: (text: string, title?: string): void => core.notice(screenText(text), title === undefined ? {} : { title }),
  warn: (text: string): void => core.warning(screenText(text)),
  /** Logs an error and fails the step. */
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
