import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../../../action/log.ts';
import type { HistorySetting } from '../../../experiment/experiment.ts';
import { connect, type Limits } from '../../../forge/api.ts';
import { explain } from '../../../forge/api-errors.ts';
import { type Env, type ForgeEvent, runPage } from '../../../forge/event.ts';
import type { Text } from '../../../report/document/text.ts';
import type { History, HistoryRecord } from '../history/record.ts';
import { seriesId, seriesOf, trendOfSeries } from '../history/trend.ts';
import { eventsSince, isAbout, listEvents, type StepEvent } from './events.ts';
import { closeIssue, listIssues, openIssue, reopenIssue, type StepIssue, settleIssue, type Tracker } from './issues.ts';
import { alertBody, alertMessage, alertTitle, closingText, placeOptions } from './message.ts';
import { callWebhook } from './webhook.ts';

export interface AlertRequest {
  readonly setting: HistorySetting;
  /** The forge's; empty: there is none. */
  readonly token: string;
  /** The history of this repository, with the record that this run has kept. */
  readonly history: History;
  readonly record: HistoryRecord;
  readonly event: ForgeEvent;
  readonly env: Env;
}

/** Number of latest experiments whose steps get an issue, so that a run makes up for an earlier one that failed to open it. */
const RECENT = 5;
const DAY_MS = 86_400_000;
/** Time in which a closed issue is opened again, ms: a repository may have thousands of older ones. */
const REOPENED_MS = 90 * DAY_MS;

/** Alerts about new steps in the record's series, and closes issues of steps that are gone or accepted. API errors only cause warnings. */
export async function updateAlerts(request: AlertRequest, limits: Limits): Promise<void> {
  const { history, record, setting, env, event } = request;
  const series = seriesOf(history.records).find(({ records }) => records.some(({ id }) => id === record.id));
  if (series === undefined) return;
  const trend = trendOfSeries(series, history.notes);
  const events = listEvents(trend);
  const newSince = (count: number): StepEvent[] =>
    eventsSince(events, series, Math.max(0, count), history.notes).filter(({ notes }) => notes.length === 0);
  if (setting.alert === 'issue') {
    await alertByIssues(request, { events, fresh: newSince(series.records.length - RECENT) }, limits);
    return;
  }
  const name = setting.alert?.webhook ?? '';
  for (const one of newSince(series.records.findIndex(({ id }) => id === record.id))) {
    const why = await callWebhook(name, alertMessage(one, runPage(event)), env, limits.requestMs);
    // Further messages to the same address would fail too.
    if (why !== null) return log.warn(`The webhook $${name} was not told of a new step: ${why}.`);
    log.info(`The webhook $${name} was told of a new step: ${alertTitle(one)}.`);
  }
}

interface Found {
  readonly events: readonly StepEvent[];
  /** Steps that may get a new issue. */
  readonly fresh: readonly StepEvent[];
}

async function alertByIssues(request: AlertRequest, { events, fresh }: Found, limits: Limits): Promise<void> {
  const { token, setting, event } = request;
  const { apiUrl, repository } = event;
  if (apiUrl === null || repository === null || token === '') {
    return log.warn('A new step in the history opens no issue: that needs github-token and GITHUB_API_URL.');
  }
  const { owner, name: repo } = repository;
  const permissions = [`contents: ${setting.file === null ? 'write' : 'read'}`, 'issues: write'];
  try {
    const tracker = { octokit: await connect(token, apiUrl, limits), token, owner, repo };
    await closeSettled(tracker, request.history);
    const open = events.filter(({ notes }) => notes.length === 0);
    const since = Math.min(earliest(fresh), Math.max(earliest(open), Date.now() - REOPENED_MS));
    const known = open.length === 0 ? [] : await listIssues(tracker, { state: 'all', since: isoTime(since) });
    for (const one of open) {
      // If several were opened at once, the first is kept.
      const issue = known.find(isOf(one));
      if (issue === undefined && fresh.includes(one)) await openOnce(tracker, one, request, limits);
      if (!issue?.isSettled || issue.isOpen) continue;
      await reopenIssue(tracker, issue, RETURNED);
      log.info(`The issue #${issue.number} was opened again: its step is back.`);
    }
  } catch (error) {
    const what = 'The issues about steps in the history are not up to date';
    const missing = `there are no issues of ${owner}/${repo}`;
    log.warn(explain(error, { apiUrl, token, what, scope: 'issues: write', missing, permissions }));
  }
}

/** Closes settled issues of all machines, including those that no longer measure. */
async function closeSettled(tracker: Tracker, { records, notes }: History): Promise<void> {
  const open = Map.groupBy(await listIssues(tracker, { state: 'open' }), ({ series }) => series);
  for (const series of open.size === 0 ? [] : seriesOf(records)) {
    const issues = open.get(seriesId(series));
    if (issues === undefined) continue;
    const events = listEvents(trendOfSeries(series, notes));
    for (const issue of issues) {
      const step = events.find((one) => isAbout(one, issue.commit));
      if (step !== undefined && step.notes.length === 0) continue;
      await settleIssue(tracker, issue, closingText(step?.notes ?? null));
      log.info(`The issue #${issue.number} was closed: its step is ${step === undefined ? 'gone' : 'accepted'}.`);
    }
  }
}

const RETURNED = 'The history shows this step again, and no note accepts it.\n';

const isOf =
  (step: StepEvent) =>
  ({ series, commit }: StepIssue): boolean =>
    series === step.series.id && isAbout(step, commit);

/** Earliest creation time of an issue about these steps, with a day's margin for clocks. Commits may have been measured in any order. */
function earliest(steps: readonly StepEvent[]): number {
  const times = steps.flatMap(({ series, range }) => series.startedAt.slice(Math.max(0, range[0] - RECENT)));
  return times.reduce((least, at) => Math.min(least, Date.parse(at)), Infinity) - DAY_MS;
}

const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Opens the issue of a step. */
async function openOnce(tracker: Tracker, step: StepEvent, request: AlertRequest, limits: Limits): Promise<void> {
  const page = runPage(request.event);
  const found: Text = page === null ? ['a run of the workflow'] : [{ link: 'this run', href: page }];
  const number = await openIssue(tracker, alertTitle(step), alertBody(step, found, placeOptions(request.setting)));
  log.info(`The issue #${number} was opened: ${alertTitle(step)}.`);
  // If another run created the issue at the same time, the first one is kept.
  await sleep(limits.verifyMs);
  const first = (await listIssues(tracker, { state: 'all', since: isoTime(earliest([step])) })).find(isOf(step));
  if (first !== undefined && first.number < number) {
    await closeIssue(tracker, number, `Two runs found this step at the same time: #${first.number} is about it.`);
    log.info(`The issue #${number} was closed: another run has opened #${first.number}.`);
  }
}
