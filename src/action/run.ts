import { getInput } from '@actions/core';
import { eventRevisions, readRepository } from '../forge/event.ts';
import { expectEnd, UNFINISHED } from '../system/unfinished.ts';
import { cameBy } from '../text/way-in.ts';
import { errorText } from './error-text.ts';
import { readInputs, readMode } from './inputs.ts';
import { log } from './log.ts';
import { foreignCodeWarning, refuseForks } from './owner-policy.ts';
import type { ActionPart } from './part.ts';
import { withholdSecrets } from './secrets.ts';

/** Runs the action: reads the inputs, performs the mode and shows the result on the forge. Never throws; failures are logged. */
export async function run(parts: readonly { readonly action?: ActionPart }[]): Promise<void> {
  cameBy({ goesOn: 'job' });
  const atEnd = expectEnd(1, () => log.fail(UNFINISHED));
  try {
    const { token, restore } = withholdSecrets(process.env);
    const modes = Object.fromEntries(parts.flatMap(({ action }) => Object.entries(action?.modes ?? {})));
    const runMode = modes[readMode(getInput, Object.keys(modes))];
    if (runMode === undefined) {
      refuseForks(process.env);
      const warning = foreignCodeWarning(process.env);
      if (warning !== null) log.warn(warning);
      const repository = readRepository(process.env.GITHUB_REPOSITORY)?.name ?? null;
      const inputs = { ...readInputs(getInput, process.cwd(), eventRevisions(process.env), repository), token };
      const { measureAndShow } = await import('./measure.ts');
      const keep = parts.flatMap(({ action }) => action?.keep ?? []);
      const check = parts.flatMap(({ action }) => action?.check ?? []);
      const part = await parts.find(({ action }) => action?.run !== undefined)?.action?.run?.();
      await measureAndShow(inputs, restore, { env: process.env, keep, check, part });
      return;
    }
    await runMode(getInput, token, process.env);
  } catch (error) {
    log.fail(errorText(error));
  } finally {
    atEnd();
  }
}
