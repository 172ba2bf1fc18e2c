import { log } from '../../../action/log.ts';
import { outputsOf, setOutputs } from '../../../action/outputs.ts';
import { messageOf } from '../../../errors.ts';
import type { Env } from '../../../forge/event.ts';
import { writeSummary } from '../../../forge/summary.ts';
import { logLine } from '../../../forge/untrusted.ts';
import { plain } from '../../../text/plain.ts';
import { gatheredSentence, gravest } from '../report/gathered/result.ts';
import type { Gathered } from './gathered.ts';
import { type Frame, gatheredSummaries } from './gathered-texts.ts';

/**
 * Shows results of other jobs in this one: log, outputs, job summary, one annotation. Whatever was refused becomes an error of its own, and
 * fails the step. Never throws.
 */
export async function showGathered(gathered: Gathered, frame: Frame, env: Env): Promise<void> {
  const { results, refused, others, missing } = gathered;
  for (const name of others) {
    log.info(`${plain(name)} contains no findings.json and was ignored.`);
  }
  for (const { name, reason } of refused) {
    log.fail(logLine(`The result ${plain(name, 100)} was rejected: ${plain(reason)}`));
  }
  for (const { name, conclusion } of missing) {
    const how = conclusion === null ? '' : ` It ended with ${plain(conclusion)}.`;
    log.warn(logLine(`The job ${plain(name, 100)} left no result.${how}`));
  }
  tellGatheredOutputs(gathered, null);
  if (results.length > 0) log.notice(logLine(plain(gatheredSentence(results), 900)), 'joulediff');
  const written = await writeSummary(gatheredSummaries(gathered, frame), env);
  if (!written.written) {
    log.info(`There is no job summary: ${written.reason}.`);
  }
}

/** Outputs of the most important comparison; this job has no report or database. */
export function tellGatheredOutputs({ results }: Gathered, commentUrl: string | null): void {
  try {
    const elsewhere = { reportPath: null, databasePath: null, artifactUrl: null, reportUrl: null };
    const all = results.map(({ findings }) => findings);
    setOutputs(outputsOf(gravest(results), { ...elsewhere, commentUrl }, all));
  } catch (error) {
    log.warn(`The outputs could not be set: ${messageOf(error)}`);
  }
}
