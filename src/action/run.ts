import { getInput } from '@actions/core';
import { eventRevisions, readRepository } from '../forge/event.ts';
import { expectEnd, UNFINISHED } from '../system/unfinished.ts';
import { cameBy } from '../text/way-in.ts';
import { errorText } from './error-text.ts';
import { readGatherInputs, readMode } from './gather-inputs.ts';
import { readInputs } from './inputs.ts';
import { log } from './log.ts';
import { foreignCodeWarning, refuseForks } from './owner-policy.ts';
import { withholdSecrets } from './secrets.ts';

/** The action: inputs, one experiment or the results of several, shown on the forge. Never throws; what fails the step is said in the log. */
export async function run(): Promise<void> {
  cameBy({ isAction: true });
  const atEnd = expectEnd(1, () => log.fail(UNFINISHED));
  try {
    const { token, restore } = withholdSecrets(process.env);
    const mode = readMode(getInput);
    if (mode === 'measure') {
      refuseForks(process.env);
      const warning = foreignCodeWarning(process.env);
      if (warning !== null) log.warn(warning);
      const repository = readRepository(process.env.GITHUB_REPOSITORY)?.name ?? null;
      const inputs = { ...readInputs(getInput, process.cwd(), eventRevisions(process.env), repository), token };
      const { measureAndShow } = await import('./measure.ts');
      await measureAndShow(inputs, restore, process.env);
      return;
    }
    const inputs = { ...readGatherInputs(getInput, mode), token };
    // Each mode is read only where it is asked for, so that measuring starts sooner.
    if (mode === 'publish') await (await import('./publish.ts')).publishRun(inputs, process.env);
    else await (await import('./gather.ts')).gather(inputs, process.env);
  } catch (error) {
    log.fail(errorText(error));
  } finally {
    atEnd();
  }
}
