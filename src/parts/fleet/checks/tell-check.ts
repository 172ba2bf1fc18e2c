import { log } from '../../../action/log.ts';
import type { ActionPart, Check } from '../../../action/part.ts';
import { messageOf } from '../../../errors.ts';
import { connect, isApiError } from '../../../forge/api.ts';
import { explain } from '../../../forge/api-errors.ts';
import { type Env, type ForgeEvent, isForeign, readEvent, runPage, sha } from '../../../forge/event.ts';
import { withRunPages } from '../../../forge/run-pages.ts';
import { field, positiveInteger } from '../../../forge/untrusted.ts';
import { durationText } from '../../../text/numbers.ts';
import { gatheredComment } from '../report/gathered/gathered.ts';
import { gatheredSentence, type Result } from '../report/gathered/result.ts';
import { type Acceptance, findAcceptances, formatAcceptance } from './acceptance.ts';
import { decideConclusion } from './conclusion.ts';
import { acceptanceInChecks, type Commit, type Mark, markName, setMark } from './mark.ts';

/** Subject of a check. */
export interface Checked {
  readonly results: readonly Result[];
  /** The comment about them. */
  readonly markdown: string;
  readonly sha: string | null;
  readonly pullRequest: number | null;
  readonly token: string;
  readonly workflow: string;
  readonly commentKey: string;
  /** Whether it is a check run where the forge has them. */
  readonly isCheck: boolean;
  /** Number of missing or unusable results. */
  readonly lost?: number;
  /** Why there is no result, as a sentence; absent: the measurement left none. */
  readonly whyNone?: string | undefined;
  /** The measurement was cancelled. */
  readonly isCancelled?: boolean;
}

/**
 * Marks the commit with how its results end: by a check run, or a commit status. An acceptance of this very commit makes it a success. Never throws: what
 * kept it from being written is told in the log.
 */
export async function tellCheck(checked: Checked, event: ForgeEvent): Promise<void> {
  const { results, sha, pullRequest, token, isCheck } = checked;
  const { apiUrl, repository, runId, attempt } = event;
  if (isForeign(event)) {
    log.notice('There is no check: the pull request comes from a fork, whose runs may not write.');
    return;
  }
  if (apiUrl === null || repository === null || sha === null || token === '') {
    log.notice('There is no check: it needs github-token, GITHUB_REPOSITORY, GITHUB_API_URL and a commit.');
    return;
  }
  const { owner, name: repo } = repository;
  const findings = results.map((result) => result.findings);
  const { lost = 0, isCancelled = false, whyNone = 'The measurement left no result' } = checked;
  const isEmpty = results.length === 0;
  const outcome = isCancelled ? 'cancelled' : lost > 0 ? 'failure' : decideConclusion(findings);
  const tried = { apiUrl, token, what: `The check of ${sha.slice(0, 10)} was not written`, ...neededFor(isCheck) };
  try {
    const octokit = await connect(token, apiUrl);
    const commit = { octokit, owner, repo, sha };
    const name = markName(checked.workflow, checked.commentKey);
    const accepted =
      isEmpty || lost > 0 || isCancelled ? null : await findAcceptance(commit, name, { token, pullRequest });
    const sentence = [
      ...(isCancelled ? ['The measurement was cancelled.'] : []),
      ...(lost > 0 && !isEmpty
        ? [`${lost} of ${lost + results.length} experiments left no result that can be used.`]
        : []),
      ...(isEmpty && !isCancelled ? [whyNone] : []),
      ...(isEmpty ? [] : [gatheredSentence(results)]),
    ].join(' ');
    const mark: Mark = {
      name,
      state: accepted === null ? outcome : 'success',
      title: accepted === null ? sentence : `Accepted by ${accepted.by}: ${accepted.reason}`,
      summary: (accepted === null ? '' : formatAcceptance(accepted)) + (checked.markdown || sentence),
      page: runPage(event),
      runId,
      attempt,
    };
    const set = await setMark(commit, mark, { isCheck, isOnlyOwn: isEmpty });
    log.info(set === null ? LEFT : `The ${set} says ${mark.state}.`);
  } catch (error) {
    log.warn(explain(error, tried));
  }
}

const LEFT =
  'The check was left as it is: another run measures this commit or has measured it, or another job of this run with the same comment-key ended worse.';

/** The acceptance of this very mark, in a comment about the commit or in the check itself; null: there is none. */
async function findAcceptance(
  commit: Commit,
  name: string,
  { token, pullRequest }: Pick<Checked, 'token' | 'pullRequest'>,
): Promise<Acceptance | null> {
  const { octokit, owner, repo, sha } = commit;
  const conversation = { owner, repo, issue_number: pullRequest ?? 0 };
  const reported = pullRequest === null ? [] : await findAcceptances(octokit, token, conversation, sha);
  return reported.find(({ marks }) => marks.includes(name)) ?? (await acceptanceInChecks(commit, name));
}

/**
 * The acceptance of the pull request whose merge made this commit, as one line; null: there is none. GitHub gives a list of pull requests, Gitea one of
 * them. Throws the API's errors.
 */
export async function acceptanceOfMerge(commit: Commit, token: string, isGitea: boolean): Promise<string | null> {
  const { octokit, owner, repo, sha: ref } = commit;
  const route = `GET /repos/{owner}/{repo}/commits/{ref}/${isGitea ? 'pull' : 'pulls'}`;
  const { data } = await octokit.request(route, { owner, repo, ref }).catch((error: unknown) => {
    if (isApiError(error) && error.status === 404) return { data: [] };
    throw error;
  });
  for (const pull of Array.isArray(data) ? (data as unknown[]) : [data]) {
    const [number, head] = [positiveInteger(field(pull, 'number')), sha(field(pull, 'head', 'sha'))];
    const merge = field(pull, 'merge_commit_sha');
    // A pull request merged as several commits is accepted at the last one.
    if (number === null || head === null || !field(pull, 'merged_at') || (merge && merge !== ref)) continue;
    const [reported] = await findAcceptances(octokit, token, { owner, repo, issue_number: number }, head);
    // Without a comment, only the check has the acceptance. A token without read access to checks finds none.
    const found = reported ?? (await acceptanceInChecks({ ...commit, sha: head }, null).catch(() => null));
    if (found !== null) return `accepted by ${found.by} in #${number}: ${found.reason}`;
  }
  return null;
}

/** What a message about a refused check or status names: the right that the token lacks. */
export function neededFor(isCheck: boolean) {
  const scope = isCheck ? 'checks: write' : 'statuses: write';
  return { scope, missing: 'there is no such commit', permissions: [scope, 'pull-requests: write'] };
}

/** Minimum interval of progress updates, ms, so that hours of measuring stay below GitHub's 1,000 statuses per commit. */
const UPDATE_MS = 60_000;

/** Check of a measuring job: it shows the remaining time, and then the result. Never throws. */
export async function checkOfJob(
  { token, commentKey, head }: Parameters<NonNullable<ActionPart['check']>>[0],
  env: Env,
  now: () => number = Date.now,
): Promise<Check> {
  const event = await withRunPages(readEvent(env), token);
  const { apiUrl, repository, pullRequest, workflow, runId, attempt } = event;
  const sha = head ?? event.headSha;
  // Jobs without a key would share a check, and the last one would decide. A requested check was created by the requesting job.
  const key = commentKey || (head === null ? event.job : '');
  const pending = { name: markName(workflow, key), state: 'pending', page: runPage(event), runId, attempt } as const;
  let lastMs = Number.NEGATIVE_INFINITY;
  let isRefused = isForeign(event) || apiUrl === null || repository === null || sha === null || token === '';
  let reported: Promise<void> = Promise.resolve();
  const tell = async (title: string): Promise<void> => {
    if (isRefused || apiUrl === null || repository === null || sha === null) return;
    const commit = { octokit: await connect(token, apiUrl), owner: repository.owner, repo: repository.name, sha };
    await setMark(commit, { ...pending, title, summary: 'The result follows.' }, { isCheck: true });
  };
  const update = (title: string): Promise<void> => {
    lastMs = now();
    // Updates are sequential, so that a late one can't overwrite the result.
    reported = reported
      .then(() => tell(title))
      .catch((error: unknown) => {
        isRefused = true;
        log.info(`The commit was not marked as being measured: ${messageOf(error)}`);
      });
    return reported;
  };
  return {
    begin: () => update('Measuring'),
    progress: (remainingS, isBound) => {
      if (now() - lastMs < UPDATE_MS) return;
      void update(`Measuring: ${isBound ? 'at most ' : ''}${durationText(remainingS)} left`);
    },
    end: async ({ analysis, markdown: comment, isCancelled }) => {
      await reported;
      const results =
        analysis === null ? [] : [{ name: analysis.findings.experiment.name, findings: analysis.findings }];
      const markdown = comment || (results.length === 0 ? '' : gatheredComment(results));
      const of = { results, markdown, isCancelled, sha, pullRequest, token, workflow };
      await tellCheck({ ...of, commentKey: key, isCheck: true }, event);
    },
  };
}
