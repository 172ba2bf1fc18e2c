import { errorText } from '../../../action/error-text.ts';
import { log } from '../../../action/log.ts';
import type { KeepRequest } from '../../../action/part.ts';
import { messageOf } from '../../../errors.ts';
import type { HistorySetting } from '../../../experiment/experiment.ts';
import { connect, LIMITS, type Limits } from '../../../forge/api.ts';
import { type Env, type ForgeEvent, readEvent, runPage } from '../../../forge/event.ts';
import { withRunPages } from '../../../forge/run-pages.ts';
import { plain } from '../../../text/plain.ts';
import { acceptanceOfMerge } from '../checks/tell-check.ts';
import { extractRecord, failedVariants, type Origin } from '../history/extract.ts';
import { writeHistory } from '../history/files.ts';
import { type HistoryStore, MAX_NOTE } from '../history/record.ts';
import { branchStore } from '../history/stores/branch.ts';
import { sqliteStore } from '../history/stores/sqlite.ts';

/**
 * After an experiment in a job: keeps it in the history where it belongs there, and writes the trend page of this repository beside the result.
 * Never throws: the job is not failed by a history that can't be reached; what went wrong is told.
 */
export async function keepHistory(request: KeepRequest, env: Env, limits: Limits = LIMITS): Promise<void> {
  const event = await withRunPages(readEvent(env), request.token);
  try {
    const store = chooseStore(request, event);
    const { analysis, complete, setting } = request;
    const kept = complete || (analysis !== null && failedVariants(analysis.findings).length > 0);
    const findings = kept ? (analysis?.findings ?? null) : null;
    const why = findings === null ? 'the experiment did not complete' : notKept(event, setting);
    const record = findings === null || why !== null ? null : extractRecord(findings, originOf(event));
    if (record === null) log.info(`This experiment is not kept in the history: ${why}.`);
    else {
      const added = await store.add(record);
      log.info(added ? `The experiment is kept in ${store.name}.` : `${store.name} already contains this experiment.`);
      await acceptAsMerged(store, request.token, event, limits);
    }
    const { repository } = originOf(event);
    // A runner's file may have histories of other repositories, which readers of this one must not see.
    const { records, notes } = await store.read();
    const own = { records: records.filter((record) => record.repository === repository), notes };
    await writeHistory(own, request.outDir);
    if (record === null || record.variants.length === 0 || setting.alert === undefined) return;
    const { updateAlerts } = await import('../alert/alert.ts');
    await updateAlerts({ setting, token: request.token, history: own, record, event, env }, limits);
  } catch (error) {
    log.warn(`The history: ${errorText(error)}`);
  }
}

/** Writes a note on the commit if its pull request was accepted, unless it has a note. */
async function acceptAsMerged(store: HistoryStore, token: string, event: ForgeEvent, limits: Limits): Promise<void> {
  const { apiUrl, repository, headSha: sha, isGitea } = event;
  if (apiUrl === null || repository === null || sha === null || token === '') return;
  const { owner, name: repo } = repository;
  try {
    const octokit = await connect(token, apiUrl, limits);
    const found = await acceptanceOfMerge({ octokit, owner, repo, sha }, token, isGitea);
    if (found === null || (await store.read()).notes.has(sha)) return;
    await store.annotate(sha, plain(found, MAX_NOTE));
    log.info(`The note beside this commit: ${found}.`);
  } catch (error) {
    log.info(`Whether the pull request of this commit was accepted is not known: ${messageOf(error)}`);
  }
}

function chooseStore({ setting, token }: KeepRequest, event: ForgeEvent): HistoryStore {
  if (setting.file !== null) return sqliteStore(setting.file);
  const { repository } = originOf(event);
  const url = repository === null ? '' : `${repository}.git`;
  const tracked = setting.track ?? event.defaultBranch ?? '';
  return branchStore({ url, token, branch: setting.branch ?? '', tracked });
}

export function originOf(event: ForgeEvent): Origin {
  const { repository: names, serverUrl, branch, headSha } = event;
  const repository = names === null ? null : `${serverUrl}/${names.owner}/${names.name}`;
  return { repository, commit: headSha, branch, report: runPage(event) };
}

/** Events that run on a commit of a branch; others (pull requests, comments, other workflows) run on a proposed commit. */
const OWN_EVENTS = ['push', 'schedule', 'workflow_dispatch', 'repository_dispatch'];

/** Why an experiment of this job is not kept in the history; null: it is. */
export function notKept(event: ForgeEvent, { track }: HistorySetting): string | null {
  if (event.repository === null) return 'the job does not name its repository';
  if (event.pullRequest !== null || event.fork || !OWN_EVENTS.includes(event.eventName)) {
    return `only commits of the ${track === null ? 'default' : 'tracked'} branch are, and this is ${event.pullRequest === null ? `an event "${event.eventName}"` : 'a pull request'}`;
  }
  if (event.branch === null) return 'the job runs on no branch';
  // A schedule always runs on the default branch.
  const wanted = track ?? (event.eventName === 'schedule' ? event.branch : event.defaultBranch);
  if (wanted === null) return 'the default branch is not known; history.track can name it';
  return event.branch === wanted ? null : `it is of the branch ${event.branch}, and only commits of ${wanted} are`;
}
