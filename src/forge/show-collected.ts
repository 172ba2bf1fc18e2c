import * as core from '@actions/core';
import { messageOf } from '../errors.ts';
import { gatheredSentence, gravest } from '../report/gathered/headline.ts';
import { plain } from '../text/plain.ts';
import type { Collected } from './collected.ts';
import { collectedSummaries, type Frame } from './collected-texts.ts';
import type { Env } from './event.ts';
import { outputsOf, setOutputs } from './outputs.ts';
import { writeSummary } from './summary.ts';
import { logLine } from './untrusted.ts';

/**
 * Shows results of other jobs in this one: log, outputs, job summary, one annotation. Whatever was refused becomes an error of its own, and
 * fails the step. Never throws.
 */
export async function showCollected(collected: Collected, frame: Frame, env: Env): Promise<void> {
  const { results, refused, others } = collected;
  for (const name of others) {
    core.info(logLine(`${plain(name)} holds no findings.json, and is left alone.`));
  }
  for (const { name, reason } of refused) {
    core.setFailed(logLine(`The result ${plain(name, 100)} was not taken: ${plain(reason)}`));
  }
  tellCollectedOutputs(collected, null);
  if (results.length === 0) {
    return;
  }
  core.notice(logLine(plain(gatheredSentence(results), 900)), { title: 'joulediff' });
  const written = await writeSummary(collectedSummaries(collected, frame), env);
  if (!written.written) {
    core.info(logLine(`There is no job summary: ${written.reason}.`));
  }
}

/** Outputs of the gravest comparison; there is no report and no database here. */
export function tellCollectedOutputs({ results }: Collected, commentUrl: string | null): void {
  try {
    setOutputs(
      outputsOf(gravest(results), {
        reportPath: null,
        databasePath: null,
        commentUrl,
        artifactUrl: null,
        reportUrl: null,
      }),
    );
  } catch (error) {
    core.warning(`The outputs could not be set: ${messageOf(error)}`);
  }
}
