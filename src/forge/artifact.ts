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
  /** Relative paths of files that are not what was made, and so are not in it. */
  readonly changed: readonly string[];
  /** Address of the report by itself, which opens in the browser; null: there is none. */
  readonly pageUrl: string | null;
  /** The upload of the page was given up, and may still hold the process open. */
  readonly timedOut: boolean;
}

interface Failure {
  readonly reason: string;
  readonly timedOut: boolean;
}

export type ArtifactResult = Artifact | Failure;

export interface ArtifactRequest {
  readonly directory: string;
  /** SHA-256 of a file as it was made; null: it was not. */
  madeDigest(path: string): string | null;
  readonly name: string;
  readonly event: ForgeEvent;
  readonly env: Env;
  /** For all attempts together. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 180_000;
/** The report's page is a convenience. */
const PAGE_TIMEOUT_MS = 60_000;
/** The artifact client wants an answer about every file within this time; its own default is five minutes. */
const STALL_MS = '60000';

/**
 * Uploads the result directory, and then its report.html once more by itself, unpacked, so that it opens in the browser. Never throws: where
 * the server refuses (GHES), where this is no workflow, or where the network is down, the reason comes back and the files stay
 * where they are; for want of the page alone there is no reason to complain.
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
    isRead = result.timedOut && isStaged;
    if ('reason' in result) return result;
    const page = await orFailure(Math.min(timeoutMs, PAGE_TIMEOUT_MS), uploadPage(request, stage, result.name));
    return 'reason' in page ? { ...result, timedOut: page.timedOut } : { ...result, ...page };
  } finally {
    stop.abort();
    // A copy that goes on would make the folder anew.
    await staging.catch(() => {});
    // The client throws where nobody can catch it when a file is gone that it is still packing.
    if (isRead) process.once('exit', () => rmSync(stage, { recursive: true, force: true }));
    // The post step looks for what could not be removed.
    else await rm(stage, { recursive: true, force: true }).catch(() => {});
  }
}

/** A job that is cancelled in the middle is killed soon: the post step finds the copy by its mark. */
const markedFolder = async (base: string, prefix: string): Promise<string> => makeMarkedFolder(base, prefix, '');

async function orFailure<T>(timeoutMs: number, work: Promise<T>): Promise<T | Failure> {
  const reason = `the upload did not finish within ${timeoutMs / 1000} s`;
  try {
    return await withDeadline<T | Failure>(work, timeoutMs, () => ({ reason, timedOut: true }));
  } catch (error) {
    return { reason: logLine(messageOf(error), 300), timedOut: false };
  }
}

function whyNot(env: Env): string | null {
  if (!env.ACTIONS_RUNTIME_TOKEN || !env.ACTIONS_RESULTS_URL) return 'there is no artifact service here';
  // The rule of @actions/artifact (isGhes in its config.js), asked before it is loaded: it would raise a warning of its own.
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
  const client = new DefaultArtifactClient();
  const start = () => client.uploadArtifact(name, files, folder, options);
  return isGiteaJob(env) ? asOnGithub(start) : start();
}

/**
 * The client takes every host but GitHub's for a GitHub Enterprise Server, and refuses it. Gitea and Forgejo speak its protocol; what it asks
 * is `ACTIONS_RESULTS_URL` in any case, and the host it looks at once, when an upload begins.
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

/** An artifact that is not packed bears the name of its file, so a copy with that name is made. */
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
  /** Absolute paths in the stage. */
  readonly files: readonly string[];
  readonly leftOut: readonly string[];
  readonly changed: readonly string[];
}

/**
 * Copies what was made to a private folder, and goes by what it copied: what a workload left running may change the result meanwhile, or
 * lay something into it. Throws the signal's reason.
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
    const digest = await copyOf(path, copy, signal);
    if (digest !== null && digest === madeDigest(path)) staged.push(copy);
    else changed.push(name);
  }
  return { files: staged, leftOut, changed };
}

/**
 * Copies a file that is no link, and gives the SHA-256 of what was copied; null: it is none, or gone. Without O_NONBLOCK a pipe in its place
 * would wait for its writer for ever.
 */
async function copyOf(path: string, copy: string, signal: AbortSignal): Promise<string | null> {
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

/** GitHub's pages of artifacts go by their ids, Gitea's by their names. */
function artifactPage(event: ForgeEvent, id: number | undefined, name: string): string | null {
  const page = runPage(event);
  if (page === null || id === undefined) return null;
  return `${page}/artifacts/${event.isGitea ? encodeURIComponent(name) : id}`;
}

/** Names can't be used twice in a run: a second attempt, or another leg of a matrix, takes one of its own. */
function namesToTry(name: string, attempt: number): string[] {
  const names = [name, nameOfAttempt(name, attempt), `${name}-${randomBytes(4).toString('hex')}`];
  return names.map((n) => n.replace(/["<>|*?:\r\n\\/]/g, '-'));
}

function isNameTaken(error: unknown): boolean {
  return /\(409\)|already exists/i.test(messageOf(error));
}

interface ResultFiles {
  /** Absolute paths, sorted. */
  readonly files: readonly string[];
  /** Relative paths that an artifact can't hold. */
  readonly leftOut: readonly string[];
}

/** Characters that the artifact service refuses in paths, and with one of them the whole upload. */
const REFUSED = /["<>|*?:\r\n\\]/;
const MAX_FILES = 10_000;

/**
 * The regular files below a result directory. Links are left out, symbolic ones and files that have a second name: a workload could have
 * laid one there that leads to a secret. Throws where the directory can't be read.
 */
async function listResultFiles(directory: string): Promise<ResultFiles> {
  const files: string[] = [];
  const leftOut: string[] = [];
  for await (const entry of await opendir(directory, { recursive: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(directory, path);
    // The write-ahead log belongs to the database; its index is made anew by whoever opens it.
    if (name.endsWith('.db-shm')) continue;
    const isOwn = entry.isFile() && (await lstat(path)).nlink === 1;
    const fits = isOwn && !REFUSED.test(name) && files.length < MAX_FILES;
    (fits ? files : leftOut).push(fits ? path : name);
  }
  return { files: files.sort(), leftOut: leftOut.sort() };
}
