import { setTimeout as sleep } from 'node:timers/promises';
import type { getOctokit } from '@actions/github';

export type Octokit = ReturnType<typeof getOctokit>;

export interface Limits {
  /** Longest that one request may take, milliseconds. */
  readonly requestMs: number;
  /** The same for all requests together with their pauses, milliseconds. */
  readonly totalMs: number;
  /** First pause before a repetition, milliseconds; it doubles. */
  readonly pauseMs: number;
  /** Longest pause that a server may ask for, milliseconds. */
  readonly longestPauseMs: number;
  /** Pause before a comment is looked at again after it was written, milliseconds. */
  readonly verifyMs: number;
}

export const LIMITS: Limits = {
  requestMs: 10_000,
  totalMs: 60_000,
  pauseMs: 1000,
  longestPauseMs: 30_000,
  verifyMs: 1000,
};

const ATTEMPTS = 3;

/** The part of an octokit error that matters here. `status` is 500 where there was no answer at all. */
export interface ApiError extends Error {
  readonly status: number;
  readonly response?: {
    readonly headers: Readonly<Record<string, string | number | undefined>>;
    readonly data: unknown;
  };
}

export function isApiError(thrown: unknown): thrown is ApiError {
  return thrown instanceof Error && typeof (thrown as Partial<ApiError>).status === 'number';
}

/**
 * A client of the REST API at `apiUrl` (GitHub's, GHES's or Gitea's), through the proxy of the environment where there is one.
 * Every request ends within `limits`; it is repeated where that is safe, after the pause that the server asks for.
 */
export async function connect(token: string, apiUrl: string, limits: Limits = LIMITS): Promise<Octokit> {
  const { getOctokit } = await importGithub();
  const silent = () => undefined;
  const octokit = getOctokit(token, {
    baseUrl: apiUrl,
    userAgent: 'joulediff',
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  const endMs = Date.now() + limits.totalMs;
  octokit.hook.wrap('request', async (request, options) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const remainingMs = Math.max(0, Math.min(limits.requestMs, endMs - Date.now()));
        // Changed in place, as octokit's hooks want it: what is given to `request` here never reaches the hooks inside.
        options.request = { ...options.request, signal: AbortSignal.timeout(remainingMs) };
        return await request(options);
      } catch (error) {
        const pauseMs = attempt < ATTEMPTS ? pauseBeforeRetry(error, options.method, attempt, limits) : null;
        if (pauseMs === null || Date.now() + pauseMs >= endMs) throw error;
        await sleep(pauseMs);
      }
    }
  });
  return octokit;
}

/** Milliseconds to wait before the same request may be sent again; null: it may not. */
function pauseBeforeRetry(error: unknown, method: string, attempt: number, limits: Limits): number | null {
  if (!isApiError(error)) return null;
  const ownPause = limits.pauseMs * 2 ** (attempt - 1);
  if (isRateLimit(error)) {
    const asked = askedPauseMs(error) ?? ownPause;
    return asked <= limits.longestPauseMs ? asked : null;
  }
  // A POST whose answer was lost may have been done; whoever sent it looks before sending another.
  return error.status >= 500 && method !== 'POST' ? ownPause : null;
}

/** Whether the server refused because of too many requests: the primary limit or the secondary one. */
export function isRateLimit(error: ApiError): boolean {
  const headers = error.response?.headers ?? {};
  const limited =
    'retry-after' in headers || headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(error.message);
  return error.status === 429 || (error.status === 403 && limited);
}

function askedPauseMs(error: ApiError): number | null {
  const headers = error.response?.headers ?? {};
  const { 'retry-after': retryAfter, 'x-ratelimit-reset': reset } = headers;
  if (retryAfter !== undefined) {
    const seconds = Number(retryAfter);
    const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(String(retryAfter)) - Date.now();
    return Number.isFinite(ms) ? Math.max(0, ms) : null;
  }
  // Every answer names the reset; it matters only when nothing is left until then.
  const resetMs = headers['x-ratelimit-remaining'] === '0' ? Number(reset) * 1000 - Date.now() : Number.NaN;
  return Number.isFinite(resetMs) ? Math.max(0, resetMs) : null;
}

/** @actions/github parses the event file while it is imported, and throws where that file is broken. */
async function importGithub(): Promise<typeof import('@actions/github')> {
  return withoutEventFile(() => import('@actions/github'));
}

/** Calls `load` while no event file is named in the environment. */
export async function withoutEventFile<T>(load: () => Promise<T>): Promise<T> {
  const path = process.env.GITHUB_EVENT_PATH;
  delete process.env.GITHUB_EVENT_PATH;
  try {
    return await load();
  } finally {
    if (path !== undefined) {
      process.env.GITHUB_EVENT_PATH = path;
    }
  }
}
