import * as core from '@actions/core';
import { messageOf } from './errors.ts';
import { reap } from './executors/leftovers/reaper.ts';
import { logLine } from './forge/untrusted.ts';

/** The action's clean-up step: removes what a killed run left behind. Never throws, and never fails the job. */
export async function runPost(): Promise<void> {
  const experimentId = core.getState('experiment');
  if (experimentId === '') {
    return;
  }
  try {
    for (const line of await reap({ experimentId })) {
      core.info(logLine(line));
    }
  } catch (error) {
    core.warning(`What an interrupted run left could not be removed: ${messageOf(error)}`);
  }
}
