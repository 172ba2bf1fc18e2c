import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:tls';
import { nowNs } from '../../system/clock.ts';

/** Where a device listens. */
export interface HttpOrigin {
  readonly secure: boolean;
  /** Name or number, an IPv6 one without its brackets. */
  readonly host: string;
  readonly port: number;
  /** SHA-256 of the only certificate that the device may show, in hexadecimal; null: one that this machine's authorities vouch for. */
  readonly fingerprint: string | null;
}

export interface HttpQuestion {
  /** Path with its query, percent-encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Encoding of both bodies: text if absent; `latin1`: bytes, one per character. */
  readonly encoding?: 'latin1';
  /** Time limit for the whole exchange, however slowly it drips, milliseconds. */
  readonly deadlineMs: number;
}

export interface HttpAnswer {
  readonly status: number;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** Half-way between question and answer, CLOCK_MONOTONIC: the device read its sensor at some moment between them. */
  readonly tNs: bigint;
}

/** Why no answer came, as a clause: `nothing came within 1.5 s`. */
export class HttpFault extends Error {}

/** Reads from one device over one kept connection. Follows no redirect, asks no other host, and has no way to send anything but a GET. */
export interface HttpConnection {
  /** Address of the device that answered last; absent: none has. A name may come to stand for another device. */
  readonly remote?: string;
  /** Throws HttpFault: no answer, or one that is cut off or too long. */
  get(question: HttpQuestion): Promise<HttpAnswer>;
  /** Never throws, may be called twice. */
  close(): Promise<void>;
}

/** A connection that can log in and out as well. */
export interface SessionConnection extends HttpConnection {
  /** `body`: JSON, where the headers don't say another type. Throws as `get`. */
  post(question: HttpQuestion & { readonly body: string }): Promise<HttpAnswer>;
  /** Throws as `get`. */
  delete(question: HttpQuestion): Promise<HttpAnswer>;
}

export const LONGEST_BODY = 64 * 1024;
const TLS_DEADLINE_MS = 5000;

/** Throws HttpFault where a certificate is pinned and the device doesn't show it; otherwise nothing is asked yet. */
export async function openHttp(origin: HttpOrigin): Promise<SessionConnection> {
  const kept = { keepAlive: true, maxSockets: 1 };
  if (!origin.secure) return new NodeConnection(origin, http.request, new http.Agent(kept));
  const trusted = origin.fingerprint === null ? {} : trustOptions(await fetchCertificate(origin));
  return new NodeConnection(origin, https.request, new https.Agent({ ...kept, ...trusted }));
}

class NodeConnection implements SessionConnection {
  readonly #origin: HttpOrigin;
  readonly #request: typeof http.request;
  readonly #agent: http.Agent;
  remote?: string;

  constructor(origin: HttpOrigin, request: typeof http.request, agent: http.Agent) {
    this.#origin = origin;
    this.#request = request;
    this.#agent = agent;
  }

  get(question: HttpQuestion): Promise<HttpAnswer> {
    return this.#ask('GET', question);
  }

  post({ body, ...question }: HttpQuestion & { readonly body: string }): Promise<HttpAnswer> {
    return this.#ask('POST', question, body);
  }

  delete(question: HttpQuestion): Promise<HttpAnswer> {
    return this.#ask('DELETE', question);
  }

  async #ask(method: string, question: HttpQuestion, body?: string): Promise<HttpAnswer> {
    const { path, headers = {}, encoding = 'utf8', deadlineMs } = question;
    const { host, port } = this.#origin;
    const signal = AbortSignal.timeout(deadlineMs);
    const askedNs = nowNs();
    try {
      const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
        const type = body === undefined ? {} : { 'content-type': 'application/json' };
        const all = { accept: 'application/json', ...type, ...headers };
        this.#request({ agent: this.#agent, method, host, port, path, headers: all, signal }, resolve)
          .on('error', reject)
          .end(body, encoding);
      });
      const tNs = askedNs + (nowNs() - askedNs) / 2n;
      const { remoteAddress } = response.socket;
      if (remoteAddress !== undefined) this.remote = remoteAddress;
      const answer = (await readBody(response)).toString(encoding);
      return { status: response.statusCode ?? 0, headers: joined(response.headers), body: answer, tNs };
    } catch (cause) {
      if (cause instanceof HttpFault) throw cause;
      throw new HttpFault(signal.aborted ? `nothing came within ${deadlineMs / 1000} s` : clauseOf(cause), { cause });
    }
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }
}

async function readBody(response: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= LONGEST_BODY) continue;
    response.destroy();
    throw tooLong();
  }
  return Buffer.concat(chunks);
}

/** The fault of an answer that is longer than any device's. */
export const tooLong = (): HttpFault => new HttpFault(`its answer is longer than ${LONGEST_BODY / 1024} kB`);

/** Headers with all cookies in one: a plug may set them by one header or by several. */
function joined(headers: http.IncomingHttpHeaders): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join('; ')]));
}

const CLAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  EHOSTUNREACH: 'it can’t be reached',
  ENETUNREACH: 'it can’t be reached',
  ETIMEDOUT: 'nothing answers there',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name can’t be looked up',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Error as a clause: in plain words where it is a usual one, else in Node's. */
export function clauseOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code.startsWith('HPE_')) return 'its answer is not HTTP';
  return CLAUSES[code] ?? message;
}

/** The certificate that the device shows. Throws HttpFault when it is not the one that was named. */
function fetchCertificate({ host, port, fingerprint }: HttpOrigin): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = (clause: string, cause?: unknown) => {
      socket.destroy();
      reject(new HttpFault(clause, { cause }));
    };
    // No certificate is trusted yet, so nothing is sent on this socket.
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: TLS_DEADLINE_MS });
    socket.on('timeout', () => fail(`nothing came within ${TLS_DEADLINE_MS / 1000} s`));
    socket.on('error', (error) => fail(clauseOf(error), error));
    socket.on('secureConnect', () => {
      const { raw } = socket.getPeerCertificate();
      const shown = createHash('sha256').update(raw).digest('hex');
      if (shown !== fingerprint) return fail(`its certificate is another one, with the SHA-256 ${shown}`);
      socket.destroy();
      resolve(raw);
    });
  });
}

/** TLS options that trust this certificate only, whatever name it carries: devices sign their own. */
function trustOptions(certificate: Buffer): https.AgentOptions {
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  const ca = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
  return { ca, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
}
