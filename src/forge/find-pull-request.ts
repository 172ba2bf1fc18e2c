import type { Octokit } from './api.ts';
import { readRepository } from './event.ts';
import { readPages } from './pages.ts';
import { field, positiveInteger, text } from './untrusted.ts';
import type { FinishedRun } from './workflow-run.ts';

interface Pull {
  readonly number: number;
  readonly sha: string;
}

/** `from`: repository of its head, if only the pull request has it. */
export type FoundPull =
  | { readonly number: number; readonly from?: FinishedRun['headRepository'] }
  | { readonly reason: string };

/**
 * Finds the open pull request whose head is currently the run's commit. It lists the repository's pull requests, because
 * events omit those of forks, and the search by commit does not find them reliably. Throws the API's errors.
 */
export async function findPullRequest(
  octokit: Octokit,
  repository: { readonly owner: string; readonly name: string },
  run: FinishedRun,
): Promise<FoundPull> {
  if (run.headBranch === '' && run.ofPullRequest !== null) return named(octokit, repository, run, run.ofPullRequest);
  const from = run.headRepository;
  if (from === null) return { reason: 'the repository that the run’s commit came from is gone' };
  const pulls: Pull[] = [];
  const place = {
    owner: repository.owner,
    repo: repository.name,
    state: 'open',
    head: `${from.owner}:${run.headBranch}`,
  };
  await readPages(octokit, 'GET /repos/{owner}/{repo}/pulls', place, 'pull_requests', (item) => {
    // Not every server supports the filter `head`, so the answer is filtered here.
    pulls.push(...readPull(item, `${from.owner}/${from.name}`, run.headBranch));
  });
  return choose(pulls, run);
}

async function named(
  octokit: Octokit,
  { owner, name: repo }: { readonly owner: string; readonly name: string },
  run: FinishedRun,
  number: number,
): Promise<FoundPull> {
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    owner,
    repo,
    pull_number: number,
  });
  if (field(data, 'state') !== 'open') return { reason: `pull request #${number} is not open any more` };
  const found = choose([{ number, sha: String(field(data, 'head', 'sha')).toLowerCase() }], run);
  const from = readRepository(text(field(data, 'head', 'repo', 'full_name'), 300));
  return 'reason' in found ? found : { ...found, from };
}

function readPull(item: unknown, repository: string, branch: string): Pull[] {
  const number = positiveInteger(field(item, 'number'));
  const head = field(item, 'head');
  const sha = field(head, 'sha');
  const isFrom = String(field(head, 'repo', 'full_name')).toLowerCase() === repository.toLowerCase();
  const isOpen = field(item, 'state') === 'open';
  return number !== null && typeof sha === 'string' && isFrom && isOpen && field(head, 'ref') === branch
    ? [{ number, sha: sha.toLowerCase() }]
    : [];
}

function choose(pulls: readonly Pull[], run: FinishedRun): FoundPull {
  const [first] = pulls;
  if (first === undefined) return { reason: 'no open pull request has the branch that the run was for' };
  const atCommit = pulls.filter((pull) => pull.sha === run.headSha);
  // If the event names pull requests, they decide between several with the same commit.
  const named = atCommit.filter((pull) => run.pullRequests.includes(pull.number));
  const [only, ...others] = named.length > 0 ? named : atCommit;
  if (only === undefined) {
    return { reason: `pull request #${first.number} has moved on from ${run.headSha.slice(0, 7)}, which was measured` };
  }
  if (others.length > 0) {
    const numbers = [only, ...others].map((pull) => `#${pull.number}`).join(', ');
    return {
      reason: `several pull requests have the measured commit as their head (${numbers}), and it is not clear which one was meant`,
    };
  }
  return { number: only.number };
}
