import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as core from '@actions/core';
import type { Analysis } from '../analysis/findings.ts';
import { messageOf } from '../errors.ts';
import { type ArtifactResult, uploadResult } from './artifact.ts';
import { publishComment } from './comment.ts';
import { commentText, summaryTexts } from './compose.ts';
import { type Env, type ForgeEvent, readEvent, runPage } from './event.ts';
import { commentKey } from './marker.ts';
import { outputsOf, type ResultPlaces, setOutputs } from './outputs.ts';
import { writeSummary } from './summary.ts';
import { logLine } from './untrusted.ts';

/** What an experiment left behind. */
export interface Outcome {
  /** Absolute. */
  readonly outDir: string;
  readonly databasePath: string;
  /** null: nothing was measured, and whatever lies in `outDir` is of an earlier experiment. */
  readonly analysis: Analysis | null;
  /** What ended it early; null: nothing did. */
  readonly error: unknown;
}

export interface PublishInputs {
  /** Empty: none. */
  readonly token: string;
  readonly commentKey: string;
  readonly artifactName: string;
}

export interface Published {
  readonly commentUrl: string | null;
  readonly artifactUrl: string | null;
  /** An upload was given up, and may still hold the process open. */
  readonly unfinished: boolean;
}

/**
 * Shows a result on the forge: outputs, job summary, artifact, comment. What needs no network comes first, so that it is
 * there even when the job is being cancelled. Never throws: what could not be published is told in the log, and where the
 * result is instead.
 */
export async function publish(outcome: Outcome, inputs: PublishInputs, env: Env): Promise<Published> {
  const event = readEvent(env);
  if (event.problem !== null) {
    core.warning(event.problem);
  }
  const places = localPlaces(outcome);
  tellOutputs(outcome, places);
  await summarize(outcome, env);
  const { artifactUrl, unfinished } = await storeArtifact(outcome, inputs, event, env);
  const commentUrl = await comment(outcome, inputs, event, artifactUrl);
  tellOutputs(outcome, { ...places, commentUrl, artifactUrl });
  return { commentUrl, artifactUrl, unfinished };
}

function localPlaces({ outDir, databasePath, analysis }: Outcome): ResultPlaces {
  const reports = ['report.html', 'summary.md'].map((name) => join(outDir, name));
  return {
    reportPath: analysis === null ? null : (reports.find((path) => existsSync(path)) ?? null),
    databasePath: analysis === null ? null : databasePath,
    commentUrl: null,
    artifactUrl: null,
  };
}

function tellOutputs({ analysis }: Outcome, places: ResultPlaces): void {
  try {
    setOutputs(outputsOf(analysis?.findings ?? null, places));
  } catch (error) {
    core.warning(`The outputs could not be set: ${messageOf(error)}`);
  }
}

async function summarize(outcome: Outcome, env: Env): Promise<void> {
  const result = await writeSummary(await summaryTexts(outcome), env);
  if (!result.written) {
    core.info(logLine(`There is no job summary: ${result.reason}.`));
  }
}

async function storeArtifact(
  { outDir, analysis }: Outcome,
  inputs: PublishInputs,
  event: ForgeEvent,
  env: Env,
): Promise<{ artifactUrl: string | null; unfinished: boolean }> {
  if (analysis === null) {
    return { artifactUrl: null, unfinished: false };
  }
  core.startGroup('Upload the result');
  const result: ArtifactResult = await uploadResult({ directory: outDir, name: inputs.artifactName, event, env });
  core.endGroup();
  if ('reason' in result) {
    core.warning(`The result was not uploaded: ${result.reason}. It is in ${outDir} on this runner.`);
    return { artifactUrl: null, unfinished: result.timedOut };
  }
  if (result.leftOut.length > 0) {
    core.warning(`Not in the artifact, because it can't hold them: ${result.leftOut.slice(0, 10).join(', ')}`);
  }
  core.info(logLine(`The result is the artifact ${result.name}${result.url === null ? '' : `: ${result.url}`}`));
  return { artifactUrl: result.url, unfinished: false };
}

/** Returns the comment's page, where there is one. */
async function comment(
  outcome: Outcome,
  inputs: PublishInputs,
  event: ForgeEvent,
  artifactUrl: string | null,
): Promise<string | null> {
  const { repository, pullRequest, apiUrl } = event;
  const whereElse = `The result is in the job summary and in ${artifactUrl ?? outcome.outDir}`;
  const markdown = await commentText(outcome, artifactUrl, runPage(event));
  if (markdown === null) {
    return null;
  }
  const reason = whyNoComment(event, inputs.token);
  if (reason !== null || repository === null || pullRequest === null || apiUrl === null) {
    core.notice(`There is no comment: ${reason}. ${whereElse}`);
    return null;
  }
  const result = await publishComment({
    apiUrl,
    token: inputs.token,
    owner: repository.owner,
    repository: repository.name,
    pullRequest,
    marker: {
      key: commentKey(event.workflow, event.job, inputs.commentKey),
      runId: event.runId,
      attempt: event.attempt,
      headSha: event.headSha,
    },
    markdown,
  });
  if (result.state === 'failed') {
    core.warning(`${result.sentence}\n${whereElse}`);
  } else {
    core.info(logLine(`${result.sentence} ${result.url ?? ''}`));
  }
  return result.url;
}

function whyNoComment(event: ForgeEvent, token: string): string | null {
  if (event.pullRequest === null) {
    return 'this run is not for a pull request';
  }
  if (event.fork && event.eventName !== 'pull_request_target') {
    return 'the pull request comes from a fork, whose runs may not write';
  }
  if (token === '') {
    return 'no token was given (input github-token)';
  }
  if (event.repository === null) {
    return 'GITHUB_REPOSITORY does not name a repository';
  }
  return event.apiUrl === null ? 'GITHUB_API_URL is not an address' : null;
}
