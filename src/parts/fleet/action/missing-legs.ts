import { log } from '../../../action/log.ts';
import { messageOf } from '../../../errors.ts';
import { connect, isApiError, isRateLimit } from '../../../forge/api.ts';
import { artifactName } from '../../../forge/artifact-names.ts';
import type { RunAddress } from '../../../forge/run-artifacts.ts';
import { listJobs, type RunJob } from '../../../forge/run-jobs.ts';
import { logLine } from '../../../forge/untrusted.ts';
import { failing } from '../../../report/verdict.ts';
import { plain } from '../../../text/plain.ts';
import type { Result } from '../report/gathered/result.ts';
import { type Gathered, type Missing, readSources, type Source } from './gathered.ts';

/** Conclusions of jobs that may have left no result on purpose, or that still run. */
const NOT_FAILED: readonly string[] = ['success', 'skipped', 'neutral', ''];

/**
 * Reads the results, and finds the jobs of the matrix without one: by the keys that the workflow names, else the failed jobs of the run. If a job
 * was run again and failed, the result of its earlier attempt is ignored.
 */
export async function gatherResults(
  sources: readonly Source[],
  { expectedKeys, artifactName: artifact }: { readonly expectedKeys: readonly string[]; readonly artifactName: string },
  run: RunAddress | null,
): Promise<Gathered> {
  const isListed = expectedKeys.length === 0 || sources.some(({ createdMs }) => createdMs !== undefined);
  const jobs = run === null || !isListed ? [] : await findJobs(run, expectedKeys.length > 0);
  const old = sources.filter((source) => isOutdated(source, jobs, artifact));
  for (const { name } of old) {
    log.warn(
      logLine(`The result ${plain(name, 100)} was ignored: it is of an earlier attempt, and the new one failed.`),
    );
  }
  const gathered = await readSources(sources.filter((source) => !old.includes(source)));
  // A rejected result has its own row.
  const names = [...gathered.results, ...gathered.refused].map(({ name }) => withoutAttempt(name));
  const left = expectedKeys.filter((key) => !names.some((name) => isNamed(name, key, artifact)));
  const missing =
    expectedKeys.length > 0
      ? left.map((name) => ({ name, conclusion: null }))
      : failedJobs(jobs, gathered.results, names, artifact);
  return { ...gathered, missing };
}

/** The jobs of a run; none if they can't be listed, which is logged. */
async function findJobs(run: RunAddress, hasKeys: boolean): Promise<RunJob[]> {
  try {
    return await listJobs(await connect(run.token, run.apiUrl), run);
  } catch (error) {
    const why = isApiError(error) ? `the server answered with status ${error.status}` : messageOf(error);
    const sentence = `The jobs of run ${run.runId} can’t be listed: ${why}. ${hasKeys ? 'A shown result may be of an earlier attempt.' : 'Name their keys with expected-keys to see failed ones.'}`;
    // Some servers have no such list, and some tokens may not read it: their jobs can never be listed.
    const isNever = isApiError(error) && [403, 404].includes(error.status) && !isRateLimit(error);
    (isNever ? log.info : log.warn)(logLine(sentence));
    return [];
  }
}

/** Whether a job of the result's name failed after the upload, and no such job's newest attempt was running then. */
function isOutdated({ name, createdMs = Number.NaN }: Source, jobs: readonly RunJob[], artifact: string): boolean {
  const own = jobs.filter((job) => isOf(job, withoutAttempt(name), artifact));
  const isCurrent = ({ startedMs, completedMs }: RunJob) => startedMs <= createdMs && !(completedMs < createdMs);
  return own.some((job) => hasFailed(job) && job.startedMs > createdMs) && !own.some(isCurrent);
}

const hasFailed = ({ conclusion }: RunJob): boolean => !NOT_FAILED.includes(conclusion);

function failedJobs(
  jobs: readonly RunJob[],
  results: readonly Result[],
  names: readonly string[],
  artifact: string,
): Missing[] {
  const failed = jobs.filter((job) => hasFailed(job) && !names.some((name) => isOf(job, name, artifact)));
  // A job may fail because of a threshold although it has a result, and its name may differ from the artifact's.
  const explained = results.filter(
    ({ name, findings }) =>
      (failing(findings).length > 0 || !findings.experiment.complete) &&
      !jobs.some((job) => isOf(job, withoutAttempt(name), artifact)),
  );
  return failed.length <= explained.length ? [] : failed;
}

const isOf = (job: RunJob, name: string, artifact: string): boolean =>
  keysOf(job).some((key) => isNamed(name, key, artifact));

/** Possible comment keys of a job: `measure (sort, large)` has `sort`, `large`, `sort, large`, `sort-large`, or its whole name. */
function keysOf({ name }: RunJob): string[] {
  const values = /\((.+)\)$/.exec(name)?.[1]?.split(', ') ?? [];
  return [name, ...values, ...[', ', '-', '/', ' '].map((between) => values.join(between))];
}

function isNamed(name: string, key: string, artifact: string): boolean {
  return name === key || name === artifactName(artifact, key);
}

const withoutAttempt = (name: string): string => name.replace(/-attempt-\d{1,9}$/, '');
