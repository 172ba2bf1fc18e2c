import { randomBytes } from 'node:crypto';
import { messageOf } from '../errors.ts';
import { withoutEventFile } from './api.ts';
import { type Env, type ForgeEvent, runPage } from './event.ts';
import { listResultFiles } from './result-files.ts';
import { logLine } from './untrusted.ts';

export interface Artifact {
  readonly url: string | null;
  readonly id: number;
  readonly name: string;
  /** SHA-256 of the archive, hexadecimal. */
  readonly digest: string | null;
  readonly leftOut: readonly string[];
}

export type ArtifactResult = Artifact | { readonly reason: string; readonly timedOut: boolean };

export interface ArtifactRequest {
  readonly directory: string;
  readonly name: string;
  readonly event: ForgeEvent;
  readonly env: Env;
  /** Of all attempts together. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 180_000;
/** The artifact client wants an answer about every file within this time; its own default is five minutes. */
const STALL_MS = '60000';

/**
 * Uploads the result directory. Never throws: where the server refuses (GHES, Gitea), where this is no workflow, or
 * where the network is down, the reason comes back and the files stay where they are.
 */
export async function uploadResult(request: ArtifactRequest): Promise<ArtifactResult> {
  const reason = whyNot(request.env);
  if (reason !== null) {
    return { reason, timedOut: false };
  }
  const timeoutMs = request.timeoutMs ?? TIMEOUT_MS;
  const { promise: timeout, resolve } = Promise.withResolvers<ArtifactResult>();
  const late = `the upload did not end within ${timeoutMs / 1000} s`;
  const timer = setTimeout(() => resolve({ reason: late, timedOut: true }), timeoutMs);
  try {
    return await Promise.race([upload(request), timeout]);
  } catch (error) {
    return { reason: logLine(messageOf(error), 300), timedOut: false };
  } finally {
    clearTimeout(timer);
  }
}

function whyNot(env: Env): string | null {
  if (!env.ACTIONS_RUNTIME_TOKEN || !env.ACTIONS_RESULTS_URL) {
    return 'there is no artifact service here';
  }
  // The rule of @actions/artifact (isGhes in its config.js), asked before it is loaded: it would raise a warning of its own.
  const host = URL.parse(env.GITHUB_SERVER_URL || 'https://github.com')?.hostname.toLowerCase() ?? '';
  const speaksV4 = host === 'github.com' || host.endsWith('.ghe.com') || host.endsWith('.localhost');
  return speaksV4 ? null : `the artifact client does not work with ${host || 'this server'}`;
}

async function upload(request: ArtifactRequest): Promise<Artifact> {
  const { directory, event } = request;
  const { files, leftOut } = await listResultFiles(directory);
  process.env.ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS ??= STALL_MS;
  const { DefaultArtifactClient } = await withoutEventFile(() => import('@actions/artifact'));
  const client = new DefaultArtifactClient();
  let collision: unknown;
  for (const name of namesToTry(request.name, event.attempt)) {
    try {
      const { id, digest } = await client.uploadArtifact(name, [...files], directory);
      const page = runPage(event);
      const url = page === null || id === undefined ? null : `${page}/artifacts/${id}`;
      return { url, id: id ?? 0, name, digest: digest ?? null, leftOut };
    } catch (error) {
      if (!isNameTaken(error)) {
        throw error;
      }
      collision = error;
    }
  }
  throw collision;
}

/** Names can't be used twice in a run: a second attempt, or another leg of a matrix, takes one of its own. */
function namesToTry(name: string, attempt: number): string[] {
  const names = [name, `${name}-${attempt}`, `${name}-${randomBytes(4).toString('hex')}`];
  return names.map((n) => n.replace(/["<>|*?:\r\n\\/]/g, '-'));
}

function isNameTaken(error: unknown): boolean {
  return /\(409\)|already exists/i.test(messageOf(error));
}
