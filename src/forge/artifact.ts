import { createHash, randomBytes } from 'node:crypto';
import { constants, createWriteStream, rmSync } from 'node:fs';
import { lstat, open, opendir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ArtifactClient } from '@actions/artifact';
import { messageOf } from '../errors.ts';
import { makeMarkedFolder } from '../processes/left-folders.ts';
import { withDeadline } from '../system/deadline.ts';
import { isGiteaJob } from '../system/gitea.ts';
import { makeFolder } from '../system/make-folder.ts';
import { resultPath } from '../system/result-files.ts';
import { withoutEventFile } from './api.ts';
import { nameOfAttempt, pageName } from './artifact-names.ts';
import { type Env, type ForgeEvent, runPage } from './event.ts';
import { logLine } from './untrusted.ts';

export interface Artifact {
  readonly url: string | null;
  readonly id: number;
  readonly name: string;
  /** SHA-256 of the archive, hexadecimal. */
  readonly digest: string | null;
  readonly leftOut: readonly string[];
  /** Relative paths of files that were changed by others, and so are not uploaded. */
  readonly changed: readonly string[];
  /** Address of the report alone, viewable in a browser; null: there is none. */
  readonly pageUrl: string | null;
  /** Whether the page's upload was abandoned and may still keep the process alive. */
  readonly timedOut: boolean;
}

interface Failure {
  readonly reason: string;
  readonly timedOut: boolean;
}

export type ArtifactResult = Artifact | Failure;

export interface ArtifactRequest {
  readonly directory: string;
  /** SHA-256 of a file as this process made it; null: it did not. */
  madeDigest(path: string): string | null;
  readonly name: string;
  readonly event: ForgeEvent;
  readonly env: Env;
  /** Time limit of all attempts together. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 180_000;
/** Time limit for uploading the report's page, which is optional. */
const PAGE_TIMEOUT_MS = 60_000;
/** Time limit of the artifact client for an answer about a file; its default is five minutes. */
const STALL_MS = '60000';

/**
 * Uploads the result directory, and report.html separately, unpacked, to be viewable in the browser. Never throws: if
 * the server refuses (GHES), this is no workflow, or the network is down, the reason is returned and the files stay;
 * a missing page alone is no failure.
 */
export async function uploadResult(request: ArtifactRequest): Promise<ArtifactResult> {
  const reason = whyNot(request.env);
  if (reason !== null) return { reason, timedOut: false };
  const timeoutMs = request.timeoutMs ?? TIMEOUT_MS;
  const base = request.env.RUNNER_TEMP || tmpdir();
  const stage = await orFailure(timeoutMs, markedFolder(base, 'joulediff-artifact-'));
  if (typeof stage !== 'string') return stage;
  const stop = new AbortController();
  let isStaged = false;
  const staging = stageFiles(request, stage, stop.signal).finally(() => {
    isStaged = true;
  });
  let isRead = false;
  try {
    const result = await orFailure(timeoutMs, upload(request, stage, staging));
    isRead = isStaged && ('reason' in result || result.timedOut);
    if ('reason' in result) return result;
    const page = await orFailure(Math.min(timeoutMs, PAGE_TIMEOUT_MS), uploadPage(request, stage, result.name));
    return 'reason' in page ? { ...result, timedOut: page.timedOut } : { ...result, ...page };
  } finally {
    stop.abort();
    // A running copy would recreate the folder.
    await staging.catch(() => {});
    // After a failure, the client goes on packing. If a file disappears then, it throws an error that can't be caught.
    if (isRead) process.once('exit', () => rmSync(stage, { recursive: true, force: true }));
    // The post step removes leftovers.
    else await rm(stage, { recursive: true, force: true }).catch(() => {});
  }
}

/** Creates a marked folder: a cancelled job is killed soon, and the post step finds the copy by its mark. */
const markedFolder = async (base: string, prefix: string): Promise<string> => makeMarkedFolder(base, prefix, '');

async function orFailure<T>(timeoutMs: number, work: Promise<T>): Promise<T | Failure> {
  const reason = `the upload did not finish within ${timeoutMs / 1000} s`;
  try {
    return await withDeadline<T | Failure>(work, timeoutMs, () => ({ reason, timedOut: true }));
  } catch (error) {
    const { statusCode } = Object(error);
    const reason = statusCode > 0 ? `the service answered ${statusCode}: ${messageOf(error)}` : messageOf(error);
    return { reason: logLine(reason, 300), timedOut: false };
  }
}

function whyNot(env: Env): string | null {
  if (!env.ACTIONS_RUNTIME_TOKEN || !env.ACTIONS_RESULTS_URL) return 'there is no artifact service here';
  // Same rule as in @actions/artifact (isGhes in its config.js), checked before loading it: it would log its own warning.
  const host = URL.parse(env.GITHUB_SERVER_URL || 'https://github.com')?.hostname.toLowerCase() ?? '';
  const speaksV4 = isGiteaJob(env) || host === 'github.com' || host.endsWith('.ghe.com') || host.endsWith('.localhost');
  return speaksV4
    ? null
    : `the artifact client does not work with ${host || 'this server'}; a step with actions/upload-artifact@v3 after this one may`;
}

type Upload = Awaited<ReturnType<ArtifactClient['uploadArtifact']>>;

async function send(
  env: Env,
  ...[name, files, folder, options]: Parameters<ArtifactClient['uploadArtifact']>
): Promise<Upload> {
  process.env.ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS ??= STALL_MS;
  const { DefaultArtifactClient } = await withoutEventFile(() => import('@actions/artifact'));
  const start = () => new DefaultArtifactClient().uploadArtifact(name, files, folder, options);
  return isGiteaJob(env) ? asOnGithub(start) : start();
}

/**
 * The client takes every host but GitHub's for a GitHub Enterprise Server, and refuses it. Gitea and Forgejo support its protocol; requests
 * go to `ACTIONS_RESULTS_URL` in any case, and it checks the host only once, when an upload begins.
 */
function asOnGithub<T>(begin: () => T): T {
  const server = process.env.GITHUB_SERVER_URL;
  process.env.GITHUB_SERVER_URL = 'https://github.com';
  try {
    return begin();
  } finally {
    if (server === undefined) delete process.env.GITHUB_SERVER_URL;
    else process.env.GITHUB_SERVER_URL = server;
  }
}

async function upload(request: ArtifactRequest, stage: string, staging: Promise<StagedFiles>): Promise<Artifact> {
  const { event, env } = request;
  const { files, leftOut, changed } = await staging;
  let collision: unknown;
  for (const name of namesToTry(request.name, event.attempt)) {
    try {
      const { id, digest } = await send(env, name, [...files], stage);
      const url = artifactPage(event, id, name);
      return { url, id: id ?? 0, name, digest: digest ?? null, leftOut, changed, pageUrl: null, timedOut: false };
    } catch (error) {
      if (!isNameTaken(error)) throw error;
      collision = error;
    }
  }
  throw collision;
}

/** An unpacked artifact has the name of its file, so a copy with that name is made. */
async function uploadPage(
  { event, env }: ArtifactRequest,
  stage: string,
  name: string,
): Promise<Pick<Artifact, 'pageUrl'>> {
  const report = await readFile(resultPath(stage, 'report'));
  const folder = await markedFolder(tmpdir(), 'joulediff-page-');
  try {
    const page = join(folder, pageName(name));
    await writeFile(page, report, { flag: 'wx' });
    const { id } = await send(env, pageName(name), [page], folder, { skipArchive: true });
    return { pageUrl: artifactPage(event, id, pageName(name)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface StagedFiles {
  /** Absolute paths in the staging folder. */
  readonly files: readonly string[];
  readonly leftOut: readonly string[];
  readonly changed: readonly string[];
}

/**
 * Copies the result to a private folder and only uses the copies: processes left by a workload may still change the result, or
 * add files to it. Throws the signal's reason.
 */
async function stageFiles(
  { directory, madeDigest }: ArtifactRequest,
  stage: string,
  signal: AbortSignal,
): Promise<StagedFiles> {
  const { files, leftOut } = await listResultFiles(directory);
  const staged: string[] = [];
  const changed: string[] = [];
  for (const path of files) {
    signal.throwIfAborted();
    const name = relative(directory, path);
    const copy = join(stage, name);
    makeFolder(dirname(copy));
    const digest = await copyAndHash(path, copy, signal);
    if (digest !== null && digest === madeDigest(path)) staged.push(copy);
    else changed.push(name);
  }
  return { files: staged, leftOut, changed };
}

/**
 * Copies a regular file and returns the SHA-256 of the copied content; null: it is a link, another kind of file, or gone. Without
 * O_NONBLOCK, opening a pipe would wait for a writer.
 */
async function copyAndHash(path: string, copy: string, signal: AbortSignal): Promise<string | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => null);
  if (file === null) return null;
  await using opened = file;
  if (!(await opened.stat()).isFile()) return null;
  const hash = createHash('sha256');
  const hashing = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      hash.update(part);
      yield part;
    }
  };
  const reading = opened.createReadStream({ autoClose: false });
  await pipeline(reading, hashing, createWriteStream(copy, { flags: 'wx' }), { signal });
  return hash.digest('hex');
}

/** Page of an artifact: GitHub addresses it by id, Gitea by name. */
function artifactPage(event: ForgeEvent, id: number | undefined, name: string): string | null {
  const page = runPage(event);
  if (page === null || id === undefined) return null;
  return `${page}/artifacts/${event.isGitea ? encodeURIComponent(name) : id}`;
}

/**
 * Artifact names in order of preference: a name can't be used twice in a run, so another attempt or matrix job needs its own. In a first attempt a
 * taken name is another job's, whose result that of a later attempt would replace.
 */
function namesToTry(name: string, attempt: number): string[] {
  const again = attempt > 1 ? [nameOfAttempt(name, attempt)] : [];
  return [name, ...again, `${name}-${randomBytes(4).toString('hex')}`].map((n) => n.replace(/["<>|*?:\r\n\\/]/g, '-'));
}

function isNameTaken(error: unknown): boolean {
  return /\(409\)|already exists/i.test(messageOf(error));
}

interface ResultFiles {
  /** Absolute paths, sorted. */
  readonly files: readonly string[];
  /** Relative paths that can't be uploaded. */
  readonly leftOut: readonly string[];
}

/** Characters that the artifact service refuses in paths, together with the whole upload. */
const REFUSED = /["<>|*?:\r\n\\]/;
const MAX_FILES = 10_000;

/**
 * The regular files below a result directory. Symbolic links and files with several hard links are left out: a workload could
 * use one to expose a secret. Throws if the directory can't be read.
 */
async function listResultFiles(directory: string): Promise<ResultFiles> {
  const files: string[] = [];
  const leftOut: string[] = [];
  for await (const entry of await opendir(directory, { recursive: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(directory, path);
    // The write-ahead log belongs to the database; SQLite recreates its index.
    if (name.endsWith('.db-shm')) continue;
    const isOwn = entry.isFile() && (await lstat(path)).nlink === 1;
    const fits = isOwn && !REFUSED.test(name) && files.length < MAX_FILES;
    (fits ? files : leftOut).push(fits ? path : name);
  }
  return { files: files.sort(), leftOut: leftOut.sort() };
}
