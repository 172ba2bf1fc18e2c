import { log } from '../../../action/log.ts';
import type { ActionPart, Check } from '../../../action/part.ts';
import { messageOf } from '../../../errors.ts';
import { connect } from '../../../forge/api.ts';
import { explain } from '../../../forge/api-errors.ts';
import { type Env, type ForgeEvent, readEvent, runPage } from '../../../forge/event.ts';
import { withRunPages } from '../../../forge/run-pages.ts';
import { durationText } from '../../../text/numbers.ts';
import { gatheredComment } from '../report/gathered/gathered.ts';
import { gatheredSentence, type Result } from '../report/gathered/result.ts';
import { findAcceptance, formatAcceptance } from './acceptance.ts';
import { conclusionOf } from './conclusion.ts';
import { type Mark, markName, setMark } from './mark.ts';

/** What a check is of. */
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
  /** The measurement was cancelled before it had a result. */
  readonly isCancelled?: boolean;
}

/**
 * Marks the commit with how its results end: by a check run, or a commit status. An acceptance of this very commit makes it a success. Never throws: what
 * kept it from being written is told in the log.
 */
export async function tellCheck(checked: Checked, event: ForgeEvent): Promise<void> {
  const { results, sha, pullRequest, token, isCheck } = checked;
  const { apiUrl, repository, runId } = event;
  if (apiUrl === null || repository === null || sha === null || token === '') {
    log.notice('There is no check: it needs github-token, GITHUB_REPOSITORY, GITHUB_API_URL and a commit.');
    return;
  }
  const { owner, name: repo } = repository;
  const findings = results.map((result) => result.findings);
  const isEmpty = results.length === 0;
  const outcome = isEmpty && checked.isCancelled ? 'cancelled' : conclusionOf(findings);
  const tried = { apiUrl, token, what: `The check of ${sha.slice(0, 10)} was not written`, ...neededFor(isCheck) };
  try {
    const octokit = await connect(token, apiUrl);
    const conversation = { owner, repo, issue_number: pullRequest ?? 0 };
    const accepted = pullRequest === null || isEmpty ? null : await findAcceptance(octokit, token, conversation, sha);
    const sentence = isEmpty
      ? `The measurement ${checked.isCancelled ? 'was cancelled' : 'left no result'}`
      : gatheredSentence(results);
    const mark: Mark = {
      name: markName(checked.workflow, checked.commentKey),
      state: accepted === null ? outcome : 'success',
      title: accepted === null ? sentence : `Accepted by ${accepted.by}: ${accepted.reason}`,
      summary: (accepted === null ? '' : formatAcceptance(accepted)) + (checked.markdown || sentence),
      page: runPage(event),
      runId,
    };
    const set = await setMark({ octokit, owner, repo, sha }, mark, { isCheck, isOnlyOwn: isEmpty });
    log.info(set === null ? 'The check was left to the run that measures now.' : `The ${set} says ${mark.state}.`);
  } catch (error) {
    log.warn(explain(error, tried));
  }
}

/** What a message about a refused check or status names: the right that the token lacks. */
export function neededFor(isCheck: boolean) {
  const scope = isCheck ? 'checks: write' : 'statuses: write';
  return { scope, missing: 'there is no such commit', permissions: [scope, 'pull-requests: write'] };
}

/** A mark says anew how long it still takes after so many milliseconds, so that hours of measuring stay below GitHub's 1,000 statuses of a commit. */
const UPDATE_MS = 60_000;

/** The check of a job that measures by itself: it says how long that still takes, and then the result. None of it throws. */
export async function checkOfJob(
  { token, commentKey }: Parameters<NonNullable<ActionPart['check']>>[0],
  env: Env,
  now: () => number = Date.now,
): Promise<Check> {
  const event = await withRunPages(readEvent(env), token);
  const { apiUrl, repository, headSha: sha, pullRequest, workflow, runId } = event;
  const isForeign = event.fork && event.eventName !== 'pull_request_target';
  const pending = { name: markName(workflow, commentKey), state: 'pending', page: runPage(event), runId } as const;
  let lastMs = Number.NEGATIVE_INFINITY;
  let isRefused = isForeign || apiUrl === null || repository === null || sha === null || token === '';
  let told: Promise<void> = Promise.resolve();
  const tell = async (title: string): Promise<void> => {
    if (isRefused || apiUrl === null || repository === null || sha === null) return;
    const commit = { octokit: await connect(token, apiUrl), owner: repository.owner, repo: repository.name, sha };
    await setMark(commit, { ...pending, title, summary: 'The result follows.' }, { isCheck: true });
  };
  const update = (title: string): Promise<void> => {
    lastMs = now();
    // One after the other: an update that is late must not stand above the result.
    told = told
      .then(() => tell(title))
      .catch((error: unknown) => {
        isRefused = true;
        log.info(`The commit was not marked as being measured: ${messageOf(error)}`);
      });
    return told;
  };
  return {
    begin: () => update('Measuring'),
    progress: (remainingS, isBound) => {
      if (now() - lastMs < UPDATE_MS) return;
      void update(`Measuring: ${isBound ? 'at most ' : ''}${durationText(remainingS)} left`);
    },
    end: async ({ analysis, markdown: comment }) => {
      if (isForeign) {
        return log.notice('There is no check: the pull request comes from a fork, whose runs may not write.');
      }
      await told;
      const results =
        analysis === null ? [] : [{ name: analysis.findings.experiment.name, findings: analysis.findings }];
      const markdown = comment || (results.length === 0 ? '' : gatheredComment(results));
      await tellCheck({ results, markdown, sha, pullRequest, token, workflow, commentKey, isCheck: true }, event);
    },
  };
}
