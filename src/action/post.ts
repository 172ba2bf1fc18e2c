import { getInput, getState } from '@actions/core';
import { messageOf } from '../errors.ts';
import { reap } from '../executors/leftovers/reaper.ts';
import { readEvent, sha } from '../forge/event.ts';
import { handOverLeft } from '../measure/vault.ts';
import { expectEnd, UNFINISHED } from '../system/unfinished.ts';
import { rememberSecrets } from '../text/known-secrets.ts';
import { cameBy } from '../text/way-in.ts';
import { INPUT_DEFAULTS } from './input-names.ts';
import { log } from './log.ts';
import type { ActionPart } from './part.ts';

/** Post step of the action: cleans up after a killed run, and marks the comment of an older commit. Never throws, and never fails the job. */
export async function runPost(parts: readonly { readonly action?: ActionPart }[]): Promise<void> {
  cameBy({ goesOn: 'job' });
  const experimentId = getState('experiment');
  if (experimentId !== '') await removeLeft(experimentId);
  if (getState('checking') !== '') await endChecks(parts);
  if (getState('shown') === '') await markOlder();
}

/** Ends checks that still say that a killed step is measuring. */
async function endChecks(parts: readonly { readonly action?: ActionPart }[]): Promise<void> {
  const about = { token: getInput('github-token'), commentKey: getInput('comment-key'), head: sha(getInput('head')) };
  rememberSecrets([about.token]);
  for (const { action } of parts) {
    const check = await action?.check?.(about, process.env);
    await check?.end({ analysis: null, markdown: '' });
  }
}

/** Marks an older comment if the step ended without a result: by an error, cancelled, or killed. */
async function markOlder(): Promise<void> {
  const [mode, comment] = [getInput('mode') || INPUT_DEFAULTS.mode, getInput('comment')];
  if (mode !== 'measure' || comment === 'never') return;
  const token = getInput('github-token');
  rememberSecrets([token]);
  try {
    // Imported only here, so that the post step usually loads no API client.
    const [{ markOlderComment }, { withRunPages }] = [
      await import('./comment.ts'),
      await import('../forge/run-pages.ts'),
    ];
    const event = await withRunPages(readEvent(process.env), token);
    await markOlderComment({ token, commentKey: getInput('comment-key') }, event);
  } catch (error) {
    log.info(`The comment of an older commit could not be marked: ${messageOf(error)}`);
  }
}

async function removeLeft(experimentId: string): Promise<void> {
  const atEnd = expectEnd(0, () => log.warn(`What an interrupted run left may still be there: ${UNFINISHED}`));
  try {
    for (const line of [...(await reap({ experimentId })), ...handOverLeft({ experimentId })]) log.info(line);
  } catch (error) {
    log.warn(`What an interrupted run left could not be removed: ${messageOf(error)}`);
  } finally {
    atEnd();
  }
}
