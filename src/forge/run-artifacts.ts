import { createHash } from 'node:crypto';
import { LIMITS } from '../findings/read-findings.ts';
import { RESULT_FILES } from '../system/result-files.ts';
import type { Octokit } from './api.ts';
import { newestOfEach } from './artifact-names.ts';
import { type DownloadLimits, download } from './download.ts';
import { readPages } from './pages.ts';
import { field, milliseconds, positiveInteger, text } from './untrusted.ts';
import { fileOfZip } from './zip.ts';

export interface RunAddress {
  readonly apiUrl: string;
  readonly token: string;
  readonly owner: string;
  readonly repo: string;
  readonly runId: number;
}

interface RunArtifact {
  readonly id: number;
  readonly name: string;
  readonly createdMs: number;
  readonly expired: boolean;
  /** `sha256:` and 64 digits of the archive, if the server gives it. */
  readonly digest: string;
}

/** Limits of a download; a result with an hour of samples has some megabytes. */
export const DOWNLOAD_LIMITS: DownloadLimits = { mostBytes: 128 * 1024 * 1024, totalMs: 120_000 };
/** Time limit of all downloads together, milliseconds. */
const ALL_MS = 600_000;

/** An artifact that may contain a result. */
export interface ResultArtifact {
  readonly name: string;
  /** Time of its upload; NaN: unknown. */
  readonly createdMs: number;
  /** Downloads it and returns its findings.json, the only file that is unpacked, in memory; null: it has none. */
  open(): Promise<Buffer | null>;
}

/** Artifacts of a run named `wanted` or `wanted-…`. Throws the API's errors. */
export async function resultArtifacts(
  octokit: Octokit,
  run: RunAddress,
  wanted: string,
  limits: DownloadLimits = DOWNLOAD_LIMITS,
): Promise<ResultArtifact[]> {
  const artifacts = newestOfEach(await list(octokit, run), wanted);
  const endMs = Date.now() + ALL_MS;
  return artifacts.map((artifact) => ({
    name: artifact.name,
    createdMs: artifact.createdMs,
    open: () => {
      const totalMs = Math.max(0, Math.min(limits.totalMs, endMs - Date.now()));
      return fetchFindings(artifact, run, { ...limits, totalMs });
    },
  }));
}

async function list(octokit: Octokit, { owner, repo, runId }: RunAddress): Promise<RunArtifact[]> {
  const found: RunArtifact[] = [];
  await readPages(
    octokit,
    'GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts',
    { owner, repo, run_id: runId },
    'artifacts',
    (item) => found.push(...read(item)),
  );
  return found;
}

function read(item: unknown): RunArtifact[] {
  const [id, name] = [positiveInteger(field(item, 'id')), text(field(item, 'name'), 300)];
  const digest = text(field(item, 'digest'), 100);
  const createdMs = milliseconds(field(item, 'created_at'));
  return id === null || name === '' ? [] : [{ id, name, createdMs, expired: field(item, 'expired') === true, digest }];
}

async function fetchFindings(artifact: RunArtifact, run: RunAddress, limits: DownloadLimits): Promise<Buffer | null> {
  if (artifact.expired) throw new Error('it has expired');
  const { apiUrl, owner, repo, token } = run;
  const url = `${apiUrl}/repos/${owner}/${repo}/actions/artifacts/${artifact.id}/zip`;
  const archive = await download(url, token, limits);
  const digest = `sha256:${createHash('sha256').update(archive).digest('hex')}`;
  if (artifact.digest !== '' && artifact.digest !== digest) {
    throw new Error('what was downloaded is not what was uploaded (its checksum does not match)');
  }
  return fileOfZip(archive, RESULT_FILES.findings, LIMITS.bytes);
}
