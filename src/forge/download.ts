import type { IncomingMessage } from 'node:http';
import { HttpClient } from '@actions/http-client';
import { withDeadline } from '../system/deadline.ts';
import { logLine } from './untrusted.ts';

export interface DownloadLimits {
  readonly mostBytes: number;
  /** Time limit of a download, redirects included, milliseconds. */
  readonly totalMs: number;
}

/** Maximum number of redirects. */
const HOPS = 4;

/** Error for an answer that is not the file. */
export class DownloadError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Downloads the file at `url` to memory, through the environment's proxy, if any. The token is only sent to that address, not to the
 * storage that a redirect leads to. Throws DownloadError for an answer that is not the file, and an Error for a file that
 * is too large, takes too long, or is incomplete.
 */
export async function download(url: string, token: string, limits: DownloadLimits): Promise<Buffer> {
  const client = new HttpClient('joulediff', [], { allowRedirects: false, keepAlive: false });
  const late = new Error(`the download did not finish within ${limits.totalMs / 1000} s`);
  let open: IncomingMessage | null = null;
  const get = async (): Promise<Buffer> => {
    open = await follow(client, url, token);
    return await body(open, limits.mostBytes);
  };
  try {
    return await withDeadline(get, limits.totalMs, () => {
      open?.destroy(late);
      throw late;
    });
  } finally {
    client.dispose();
  }
}

async function follow(client: HttpClient, from: string, token: string): Promise<IncomingMessage> {
  let url = new URL(from);
  for (let hop = 0; hop < HOPS; hop++) {
    const authorization = token === '' ? {} : { authorization: `token ${token}` };
    const headers = hop === 0 ? { ...authorization, accept: 'application/vnd.github+json' } : {};
    const { message } = await client.get(url.href, headers);
    const status = message.statusCode ?? 0;
    if (status === 200) return message;
    const location = message.headers.location;
    message.destroy();
    if (status < 300 || status >= 400 || location === undefined) {
      throw new DownloadError(status, `${url.host} answered with status ${status}`);
    }
    const next = URL.parse(location, url.href);
    // No redirect from an encrypted to an unencrypted connection.
    if (next === null || !(next.protocol === 'https:' || next.protocol === url.protocol)) {
      throw new DownloadError(status, `${url.host} redirected to ${logLine(location.split('?')[0] ?? '', 100)}`);
    }
    url = next;
  }
  throw new DownloadError(0, `${new URL(from).host} redirected in a circle`);
}

async function body(message: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += chunk.length;
    if (size > mostBytes) {
      message.destroy();
      throw new Error(`it has more than ${mostBytes} bytes`);
    }
    chunks.push(chunk);
  }
  const reported = Number(message.headers['content-length'] ?? size);
  if (!message.complete || size < reported) throw new Error(`the connection ended after ${size} bytes`);
  return Buffer.concat(chunks);
}
