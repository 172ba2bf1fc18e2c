import { existsSync } from 'node:fs';
import { endGroup, startGroup } from '@actions/core';
import { messageOf } from '../errors.ts';
import { type ArtifactResult, uploadResult } from '../forge/artifact.ts';
import { artifactName } from '../forge/artifact-names.ts';
import { type Env, type ForgeEvent, readEvent, runPage } from '../forge/event.ts';
import { withRunPages } from '../forge/run-pages.ts';
import { writeSummary } from '../forge/summary.ts';
import type { ExperimentResult } from '../run/run.ts';
import { madeDigest } from '../system/made-files.ts';
import { resultPath } from '../system/result-files.ts';
import { annotate } from './annotations.ts';
import { writeComment } from './comment.ts';
import type { CommentInputs } from './inputs.ts';
import { log } from './log.ts';
import { outputsOf, type ResultLocations, setOutputs } from './outputs.ts';
import { commentText, summaryTexts, type Uploaded } from './result-texts.ts';

export interface ShowInputs extends CommentInputs {
  /** Null: no artifact is uploaded. */
  readonly artifactName: string | null;
}

export interface Shown {
  readonly commentUrl: string | null;
  readonly artifactUrl: string | null;
  /** Text about the result, as in the comment; null: none. */
  readonly markdown: string | null;
  /** Whether an abandoned upload may still keep the process alive. */
  readonly unfinished: boolean;
}

/**
 * Publishes a result on the forge: outputs, job summary, artifact, comment. Steps without network come first, so that they
 * are done even if the job is being cancelled. Never throws: publishing errors are logged, with the location of the
 * result.
 */
export async function showResult(result: ExperimentResult, inputs: ShowInputs, env: Env): Promise<Shown> {
  const read = readEvent(env);
  if (read.problem !== null) {
    log.warn(read.problem);
  }
  const locations = localFiles(result);
  tellOutputs(result, locations);
  if (result.analysis !== null) {
    annotate(result.analysis.findings);
  }
  await summarize(result, env);
  const event = await withRunPages(read, inputs.token);
  const { artifactUrl, reportUrl, unfinished } = await storeArtifact(result, inputs, event, env);
  const commentUrl = await writeComment(result, inputs, event, { artifactUrl, reportUrl });
  tellOutputs(result, { ...locations, commentUrl, artifactUrl, reportUrl });
  const markdown = commentText(result, { artifactUrl, reportUrl }, runPage(event));
  return { commentUrl, artifactUrl, markdown, unfinished };
}

function localFiles({ outDir, databasePath, analysis }: ExperimentResult): ResultLocations {
  const reports = (['report', 'summary'] as const).map((file) => resultPath(outDir, file));
  return {
    reportPath: analysis === null ? null : (reports.find((path) => existsSync(path)) ?? null),
    databasePath: analysis === null ? null : databasePath,
    commentUrl: null,
    artifactUrl: null,
    reportUrl: null,
  };
}

function tellOutputs({ analysis }: ExperimentResult, locations: ResultLocations): void {
  try {
    setOutputs(outputsOf(analysis?.findings ?? null, locations));
  } catch (error) {
    log.warn(`The outputs could not be set: ${messageOf(error)}`);
  }
}

async function summarize(result: ExperimentResult, env: Env): Promise<void> {
  const summary = await writeSummary(summaryTexts(result), env);
  if (!summary.written) log.info(`There is no job summary: ${summary.reason}.`);
}

async function storeArtifact(
  { outDir, analysis }: ExperimentResult,
  inputs: ShowInputs,
  event: ForgeEvent,
  env: Env,
): Promise<Uploaded & { unfinished: boolean }> {
  if (analysis === null || inputs.artifactName === null) {
    return { artifactUrl: null, reportUrl: null, unfinished: false };
  }
  const name = artifactName(inputs.artifactName, inputs.commentKey);
  startGroup('Upload the result');
  const uploaded: ArtifactResult = await uploadResult({ directory: outDir, madeDigest, name, event, env });
  endGroup();
  if ('reason' in uploaded) {
    log.warn(`The result was not uploaded: ${uploaded.reason}. It is in ${outDir} on this runner.`);
    return { artifactUrl: null, reportUrl: null, unfinished: uploaded.timedOut };
  }
  if (uploaded.leftOut.length > 0) {
    log.warn(`Not in the artifact, because it can't hold them: ${uploaded.leftOut.slice(0, 10).join(', ')}`);
  }
  if (uploaded.changed.length > 0) {
    log.warn(
      `Not in the artifact, because they are not what joulediff wrote: ${uploaded.changed.slice(0, 10).join(', ')}. Something may still run that the workload started.`,
    );
  }
  log.info(`The result is the artifact ${uploaded.name}${uploaded.url === null ? '' : `: ${uploaded.url}`}`);
  return { artifactUrl: uploaded.url, reportUrl: uploaded.pageUrl, unfinished: uploaded.timedOut };
}
