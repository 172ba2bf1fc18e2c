import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../../../action/log.ts';
import type { HistorySetting } from '../../../experiment/experiment.ts';
import { connect, type Limits } from '../../../forge/api.ts';
import { explain } from '../../../forge/api-errors.ts';
import { type Env, type ForgeEvent, runPage } from '../../../forge/event.ts';
import type { Text } from '../../../report/document/text.ts';
import type { History, HistoryRecord } from '../history/record.ts';
import { seriesOf, trendOfSeries } from '../history/trend.ts';
import { eventsOf, eventsSince, isAbout, type StepEvent } from './events.ts';
import { closeIssue, listIssues, openIssue, type Tracker } from './issues.ts';
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

/** An issue is opened for a step that appeared within so many of the latest experiments: a run that could not open it is made up for. */
const RECENT = 5;
const DAY_MS = 86_400_000;

/** Alerts of new steps in the series of the record, and closes the issues of steps that are gone or accepted. What the forge or the webhook refuses is a warning. */
export async function alertOf(request: AlertRequest, limits: Limits): Promise<void> {
  const { history, record, setting, env, event } = request;
  const series = seriesOf(history.records).find(({ records }) => records.some(({ id }) => id === record.id));
  if (series === undefined) return;
  const trend = trendOfSeries(series, history.notes);
  const events = eventsOf(trend);
  const newSince = (count: number): StepEvent[] =>
    eventsSince(events, series, Math.max(0, count), history.notes).filter(({ notes }) => notes.length === 0);
  if (setting.alert === 'issue') {
    await alertByIssues(request, { id: trend.id, events, fresh: newSince(series.records.length - RECENT) }, limits);
    return;
  }
  const name = setting.alert?.webhook ?? '';
  for (const one of newSince(series.records.findIndex(({ id }) => id === record.id))) {
    const why = await callWebhook(name, alertMessage(one, runPage(event)), env, limits.requestMs);
    // Another message would wait for the same address again.
    if (why !== null) return log.warn(`The webhook $${name} was not told of a new step: ${why}.`);
    log.info(`The webhook $${name} was told of a new step: ${alertTitle(one)}.`);
  }
}

interface Found {
  /** Id of the series. */
  readonly id: string;
  readonly events: readonly StepEvent[];
  /** Those that an issue may be opened for. */
  readonly fresh: readonly StepEvent[];
}

async function alertByIssues(request: AlertRequest, { id, events, fresh }: Found, limits: Limits): Promise<void> {
  const { token, setting, event } = request;
  const { apiUrl, repository } = event;
  if (apiUrl === null || repository === null || token === '') {
    return log.warn('A new step in the history opens no issue: that needs github-token and GITHUB_API_URL.');
  }
  const { owner, name: repo } = repository;
  const permissions = [`contents: ${setting.file === null ? 'write' : 'read'}`, 'issues: write'];
  try {
    const tracker = { octokit: await connect(token, apiUrl, limits), token, owner, repo };
    await closeSettled(tracker, id, events);
    for (const one of fresh) await openOnce(tracker, one, request, limits);
  } catch (error) {
    const what = 'The issues about steps in the history are not up to date';
    const missing = `there are no issues of ${owner}/${repo}`;
    log.warn(explain(error, { apiUrl, token, what, scope: 'issues: write', missing, permissions }));
  }
}

async function closeSettled(tracker: Tracker, series: string, events: readonly StepEvent[]): Promise<void> {
  for (const issue of await listIssues(tracker, { state: 'open' })) {
    if (issue.series !== series) continue;
    const step = events.find((one) => isAbout(one, issue.commit));
    if (step !== undefined && step.notes.length === 0) continue;
    await closeIssue(tracker, issue.number, closingText(step?.notes ?? null));
    log.info(`The issue #${issue.number} was closed: its step is ${step === undefined ? 'gone' : 'accepted'}.`);
  }
}

/** Opens the issue of a step, unless there is one of this token, open or closed. */
async function openOnce(tracker: Tracker, step: StepEvent, request: AlertRequest, limits: Limits): Promise<void> {
  const { series, range } = step;
  // An issue is younger than what it tells of; a day, because clocks differ.
  const begin = Date.parse(series.startedAt[Math.max(0, range[0] - RECENT)]!) - DAY_MS;
  const since = new Date(begin).toISOString();
  const alike = async () =>
    (await listIssues(tracker, { state: 'all', since })).filter(
      (issue) => issue.series === series.id && isAbout(step, issue.commit),
    );
  if ((await alike()).length > 0) return;
  const page = runPage(request.event);
  const found: Text = page === null ? ['a run of the workflow'] : [{ link: 'this run', href: page }];
  const number = await openIssue(tracker, alertTitle(step), alertBody(step, found, placeOptions(request.setting)));
  log.info(`The issue #${number} was opened: ${alertTitle(step)}.`);
  // Another run may have done the same between our look and our writing: the first issue stays.
  await sleep(limits.verifyMs);
  const [first] = await alike();
  if (first !== undefined && first.number < number) {
    await closeIssue(tracker, number, `Two runs found this step at the same time: #${first.number} is about it.`);
    log.info(`The issue #${number} was closed: another run has opened #${first.number}.`);
  }
}
