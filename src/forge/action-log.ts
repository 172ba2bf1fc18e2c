import * as core from '@actions/core';
import type { Progress, Status } from '../measure/progress.ts';
import { logLine } from './untrusted.ts';

/**
 * Progress for the log of a job: a line when a block begins, so that a log of 30 blocks can be read at a glance, and every
 * name in it safe from being taken for a command of the runner.
 */
export function actionLog(): Progress {
  let told = '';
  return {
    note: (line) => core.info(logLine(line)),
    warn: (line) => core.warning(line),
    status: (status) => {
      const block = `${status.warmup ? 'warm-up' : 'block'} ${status.block} of ${status.blocks}`;
      if (block !== told) {
        told = block;
        core.info(logLine(describe(status, block)));
      }
    },
    end: () => undefined,
  };
}

function describe(status: Status, block: string): string {
  const left = status.remainingS === null ? '' : `, about ${minutes(status.remainingS)} left`;
  return `${block}: ${status.done} of ${status.total} runs done${left}`;
}

function minutes(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
