import { log } from '../../../action/log.ts';
import { messageOf } from '../../../errors.ts';
import { connect, isApiError, isRateLimit } from '../../../forge/api.ts';
import { artifactName } from '../../../forge/artifact-names.ts';
import type { RunAddress } from '../../../forge/run-artifacts.ts';
import { listJobs, type RunJob } from '../../../forge/run-jobs.ts';
import { logLine } from '../../../forge/untrusted.ts';
import { failing } from '../../../report/verdict.ts';
import type { Result } from '../report/gathered/result.ts';
import type { Gathered, Missing } from './gathered.ts';

/** Conclusions of jobs that may have left no result on purpose, or that still run. */
const NOT_FAILED: readonly string[] = ['success', 'skipped', 'neutral', ''];

/** Jobs of the matrix without the expected result: by the keys that the workflow names, else the failed jobs of the run. */
export async function findMissing(
  gathered: Gathered,
  { expectedKeys, artifactName: artifact }: { readonly expectedKeys: readonly string[]; readonly artifactName: string },
  run: RunAddress | null,
): Promise<Missing[]> {
  // A rejected result has its own row.
  const names = [...gathered.results, ...gathered.refused].map(({ name }) => withoutAttempt(name));
  if (expectedKeys.length > 0) {
    const left = expectedKeys.filter((key) => !names.some((name) => isNamed(name, key, artifact)));
    return left.map((name) => ({ name, conclusion: null }));
  }
  if (run === null) return [];
  try {
    // A client made before the downloads may have used up its time.
    const octokit = await connect(run.token, run.apiUrl);
    return failedJobs(await listJobs(octokit, run), gathered.results, names, artifact);
  } catch (error) {
    const why = isApiError(error) ? `the server answered with status ${error.status}` : messageOf(error);
    const sentence = `The jobs of run ${run.runId} can’t be listed: ${why}. Name their keys with expected-keys to see failed ones.`;
    // Some servers have no such list, and some tokens may not read it: their jobs can never be listed. Otherwise, failed ones may be overlooked this time.
    const isNever = isApiError(error) && [403, 404].includes(error.status) && !isRateLimit(error);
    (isNever ? log.info : log.warn)(logLine(sentence));
    return [];
  }
}

function failedJobs(
  jobs: readonly RunJob[],
  results: readonly Result[],
  names: readonly string[],
  artifact: string,
): Missing[] {
  const isOf = (job: RunJob, name: string) => keysOf(job).some((key) => isNamed(name, key, artifact));
  const failed = jobs.filter((job) => !NOT_FAILED.includes(job.conclusion) && !names.some((name) => isOf(job, name)));
  // A job may fail because of a threshold although it has a result, and its name may differ from the artifact's.
  const explained = results.filter(
    ({ name, findings }) =>
      (failing(findings).length > 0 || !findings.experiment.complete) &&
      !jobs.some((job) => isOf(job, withoutAttempt(name))),
  );
  return failed.length <= explained.length ? [] : failed;
}

/** Possible comment keys of a job: `measure (sort, large)` has `sort`, `large`, `sort, large`, `sort-large`, or its whole name. */
function keysOf({ name }: RunJob): string[] {
  const values = /\((.+)\)$/.exec(name)?.[1]?.split(', ') ?? [];
  return [name, ...values, ...[', ', '-', '/', ' '].map((between) => values.join(between))];
}

function isNamed(name: string, key: string, artifact: string): boolean {
  return name === key || name === artifactName(artifact, key);
}

const withoutAttempt = (name: string): string => name.replace(/-attempt-\d{1,9}$/, '');
