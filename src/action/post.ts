import { getState } from '@actions/core';
import { messageOf } from '../errors.ts';
import { reap } from '../executors/leftovers/reaper.ts';
import { handOverLeft } from '../measure/vault.ts';
import { expectEnd, UNFINISHED } from '../system/unfinished.ts';
import { log } from './log.ts';

/** The action's clean-up step: removes what a killed run left behind. Never throws, and never fails the job. */
export async function runPost(): Promise<void> {
  const experimentId = getState('experiment');
  if (experimentId === '') return;
  const atEnd = expectEnd(0, () => log.warn(`What an interrupted run left may still be there: ${UNFINISHED}`));
  try {
    for (const line of [...(await reap({ experimentId })), ...handOverLeft({ experimentId })]) log.info(line);
  } catch (error) {
    log.warn(`What an interrupted run left could not be removed: ${messageOf(error)}`);
  } finally {
    atEnd();
  }
}
