import type { Octokit } from './api.ts';
import { readPages } from './pages.ts';
import type { RunAddress } from './run-artifacts.ts';
import { field, text } from './untrusted.ts';

/** A job of a workflow run, as the forge lists it. */
export interface RunJob {
  /** Name with the values of its matrix: `measure (sort, large)`. Untrusted. */
  readonly name: string;
  /** `success`, `failure`, `cancelled`, …; empty while it runs. */
  readonly conclusion: string;
}

/** The jobs of a run's newest attempt. Throws the API's errors; a server without such a list answers 404. */
export async function listJobs(octokit: Octokit, { owner, repo, runId }: RunAddress): Promise<RunJob[]> {
  const found: RunJob[] = [];
  const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs';
  await readPages(octokit, route, { owner, repo, run_id: runId }, 'jobs', (job) => {
    const name = text(field(job, 'name'), 500);
    if (name !== '') found.push({ name, conclusion: text(field(job, 'conclusion'), 50) });
  });
  return found;
}
