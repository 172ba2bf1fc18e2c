import * as core from '@actions/core';
import { logLine } from '../forge/untrusted.ts';
import type { Progress } from '../measure/progress.ts';
import { terminalProgress } from '../terminal/progress.ts';

/** Progress for the log of a job, with every name in it safe from being taken for a command of the runner. */
export function actionLog(): Progress {
  const progress = terminalProgress({ write: (text) => core.info(logLine(text)) });
  return { ...progress, warn: (line) => core.warning(line) };
}
