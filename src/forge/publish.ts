import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as core from '@actions/core';
import { messageOf } from '../errors.ts';
import { annotate } from './annotations.ts';
import { type ArtifactResult, uploadResult } from './artifact.ts';
import { artifactName } from './artifact-names.ts';
import { type CommentInputs, writeComment } from './comment-step.ts';
import { summaryTexts, type Uploaded } from './compose.ts';
import { type Env, type ForgeEvent, readEvent } from './event.ts';
import type { Outcome } from './outcome.ts';
import { outputsOf, type ResultPlaces, setOutputs } from './outputs.ts';
import { writeSummary } from './summary.ts';
import { logLine } from './untrusted.ts';

export interface PublishInputs extends CommentInputs {
  /** null: no artifact. */
  readonly artifactName: string | null;
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
  if (outcome.analysis !== null) {
    annotate(outcome.analysis.findings);
  }
  await summarize(outcome, env);
  const { artifactUrl, reportUrl, unfinished } = await storeArtifact(outcome, inputs, event, env);
  const commentUrl = await writeComment(outcome, inputs, event, { artifactUrl, reportUrl });
  tellOutputs(outcome, { ...places, commentUrl, artifactUrl, reportUrl });
  return { commentUrl, artifactUrl, unfinished };
}

function localPlaces({ outDir, databasePath, analysis }: Outcome): ResultPlaces {
  const reports = ['report.html', 'summary.md'].map((name) => join(outDir, name));
  return {
    reportPath: analysis === null ? null : (reports.find((path) => existsSync(path)) ?? null),
    databasePath: analysis === null ? null : databasePath,
    commentUrl: null,
    artifactUrl: null,
    reportUrl: null,
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
): Promise<Uploaded & { unfinished: boolean }> {
  if (analysis === null || inputs.artifactName === null) {
    return { artifactUrl: null, reportUrl: null, unfinished: false };
  }
  const name = artifactName(inputs.artifactName, inputs.commentKey);
  core.startGroup('Upload the result');
  const result: ArtifactResult = await uploadResult({ directory: outDir, name, event, env });
  core.endGroup();
  if ('reason' in result) {
    core.warning(`The result was not uploaded: ${result.reason}. It is in ${outDir} on this runner.`);
    return { artifactUrl: null, reportUrl: null, unfinished: result.timedOut };
  }
  if (result.leftOut.length > 0) {
    core.warning(`Not in the artifact, because it can't hold them: ${result.leftOut.slice(0, 10).join(', ')}`);
  }
  core.info(logLine(`The result is the artifact ${result.name}${result.url === null ? '' : `: ${result.url}`}`));
  return { artifactUrl: result.url, reportUrl: result.pageUrl, unfinished: result.timedOut };
}
