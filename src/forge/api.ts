import { setTimeout as sleep } from 'node:timers/promises';
import type { getOctokit } from '@actions/github';

export type Octokit = ReturnType<typeof getOctokit>;

export interface Limits {
  /** Time limit of one request, milliseconds. */
  readonly requestMs: number;
  /** Time limit of all requests together, pauses included, milliseconds. */
  readonly totalMs: number;
  /** Pause before the first repetition, milliseconds; it doubles each time. */
  readonly pauseMs: number;
  /** Maximum pause that a server may request, milliseconds. */
  readonly longestPauseMs: number;
  /** Pause before checking a comment after writing it, milliseconds. */
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

/** The relevant part of an octokit error. `status` is 500 if there was no answer. */
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
 * A client of the REST API at `apiUrl` (GitHub's, GHES's or Gitea's), through the environment's proxy, if any.
 * Every request ends within `limits`; it is repeated if that is safe, after the pause that the server requests.
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
        // Modified in place for octokit's hooks: options given to `request` here would not reach the inner ones.
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

/** Milliseconds before the request may be repeated; null: it must not be. */
function pauseBeforeRetry(error: unknown, method: string, attempt: number, limits: Limits): number | null {
  if (!isApiError(error)) return null;
  const ownPause = limits.pauseMs * 2 ** (attempt - 1);
  if (isRateLimit(error)) {
    const asked = askedPauseMs(error) ?? ownPause;
    return asked <= limits.longestPauseMs ? asked : null;
  }
  // A POST may have succeeded although its answer was lost; callers check before they repeat it.
  return error.status >= 500 && method !== 'POST' ? ownPause : null;
}

/** Whether the server refused too many requests, by its primary or secondary limit. */
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
  // Every answer has the reset time; it only matters if no requests are left.
  const resetMs = headers['x-ratelimit-remaining'] === '0' ? Number(reset) * 1000 - Date.now() : Number.NaN;
  return Number.isFinite(resetMs) ? Math.max(0, resetMs) : null;
}

/** Imports @actions/github without an event file, because it parses that file on import and throws if it is broken. */
async function importGithub(): Promise<typeof import('@actions/github')> {
  return withoutEventFile(() => import('@actions/github'));
}

/** Calls `load` with the event file's variable removed from the environment. */
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
