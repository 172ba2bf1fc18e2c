import type { Octokit } from './api.ts';
import { readPages } from './pages.ts';
import type { RunAddress } from './run-artifacts.ts';
import { field, milliseconds, positiveInteger, text } from './untrusted.ts';

/** A job of a workflow run, as the forge lists it. Times in milliseconds; NaN: unknown. */
export interface RunJob {
  /** Name with the values of its matrix: `measure (sort, large)`. Untrusted. */
  readonly name: string;
  /** `success`, `failure`, `cancelled`, …; empty while it runs. */
  readonly conclusion: string;
  readonly attempt: number;
  readonly startedMs: number;
  readonly completedMs: number;
}

/** The jobs of a run, each of its newest attempt. Throws the API's errors; a server without such a list answers 404. */
export async function listJobs(octokit: Octokit, { owner, repo, runId }: RunAddress): Promise<RunJob[]> {
  const found: RunJob[] = [];
  // Without the filter, a re-run of some jobs may hide the others.
  const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs';
  await readPages(octokit, route, { owner, repo, run_id: runId, filter: 'all' }, 'jobs', (job) => {
    const name = text(field(job, 'name'), 500);
    const attempt = positiveInteger(field(job, 'run_attempt')) ?? 1;
    const [startedMs, completedMs] = [milliseconds(field(job, 'started_at')), milliseconds(field(job, 'completed_at'))];
    if (name !== '') {
      found.push({ name, conclusion: text(field(job, 'conclusion'), 50), attempt, startedMs, completedMs });
    }
  });
  return found.filter(({ name, attempt }) => !found.some((other) => other.name === name && other.attempt > attempt));
}
