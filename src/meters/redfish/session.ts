import * as z from 'zod';
import { type HttpConnection, HttpFault, type SessionConnection } from '../network/connection.ts';
import { PATIENT_MS } from '../network/device.ts';
import { type JsonAnswer, jsonIn } from '../network/json.ts';

const SESSIONS = '/redfish/v1/SessionService/Sessions';
const LOGOUT_MS = 2000;

/** A session of a management controller. These have few places for sessions, so it is closed at the end, and reopened when it has expired. */
export class RedfishSession implements Pick<HttpConnection, 'remote' | 'close'> {
  readonly #connection: SessionConnection;
  readonly #credentials: { readonly user: string; readonly password: string };
  #token: string | null = null;
  #opened = 0;
  /** Path of the session's own resource. */
  #place: string | null = null;
  #closing: Promise<void> | null = null;

  constructor(connection: SessionConnection, credentials: { readonly user: string; readonly password: string }) {
    this.#connection = connection;
    this.#credentials = credentials;
  }

  /** Address and session: with each new session, another controller with the same user may have answered. */
  get remote(): string {
    return `${this.#connection.remote} ${this.#opened}`;
  }

  /** Throws HttpFault. */
  async get<T>(path: string, shape: z.ZodType<T>, deadlineMs = PATIENT_MS): Promise<JsonAnswer<T>> {
    if (this.#token === null) await this.#login();
    const ask = () => this.#connection.get({ path, headers: this.#headers(), deadlineMs });
    let answer = await ask();
    if (answer.status === 401) {
      await this.#login();
      answer = await ask();
    }
    return jsonIn(answer, shape);
  }

  /** Ends the session and the connection. Never throws, may be called twice, bounded in time. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const path = this.#place;
    this.#place = null;
    if (path !== null) {
      // A controller that can't be reached ends the session by itself after a while.
      await this.#connection.delete({ path, headers: this.#headers(), deadlineMs: LOGOUT_MS }).catch(() => {});
    }
    await this.#connection.close();
  }

  async #login(): Promise<void> {
    const { user, password } = this.#credentials;
    const body = JSON.stringify({ UserName: user, Password: password });
    const {
      status,
      headers,
      body: said,
    } = await this.#connection.post({ path: SESSIONS, body, deadlineMs: PATIENT_MS });
    if (status === 400 || status === 401 || status === 403) {
      throw new HttpFault(`it refuses the user ${JSON.stringify(user)} (HTTP ${status})`);
    }
    const token = headers['x-auth-token'];
    if (status < 200 || status > 299 || token === undefined)
      throw new HttpFault(`no session can be opened (HTTP ${status})`);
    this.#token = token;
    this.#opened += 1;
    this.#place = placeOf(headers.location, said);
  }

  #headers(): Record<string, string> {
    return this.#token === null ? {} : { 'x-auth-token': this.#token };
  }
}

/** Path of a session. Only the path is used: no other host is ever asked. */
function placeOf(location: string | undefined, body: string): string | null {
  try {
    const reported = location ?? z.object({ '@odata.id': z.string() }).parse(JSON.parse(body))['@odata.id'];
    const { pathname } = new URL(reported, 'https://controller');
    return pathname.startsWith(`${SESSIONS}/`) ? pathname : null;
  } catch {
    return null;
  }
}
