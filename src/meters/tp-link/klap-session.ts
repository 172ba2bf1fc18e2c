import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type Clock, secondsToNs } from '../../system/clock.ts';
import { type HttpAnswer, type HttpConnection, HttpFault, type SessionConnection } from '../network/connection.ts';
import { type JsonAnswer, jsonIn } from '../network/json.ts';
import { accountHash, KlapCipher, proof, SEED_BYTES } from './klap.ts';

const DAY_S = 86_400;
/** Share of its lifetime after which a session is renewed, since a plug's clock may be fast. */
const RENEWED_AFTER = 0.9;
/** Error code of a plug that has ended the session. */
const SESSION_OVER = 9999;

interface Session {
  readonly cipher: KlapCipher;
  readonly cookie: string;
  readonly untilNs: bigint;
  sequence: number;
}

export interface KlapAnswer<T> {
  readonly error_code: number;
  /** Result; null: there is none, and `error_code` says why. */
  readonly result: T | null;
}

/** The shape of an answer with this result. Make it once: making one costs more than an answer. */
export const answerWith = <T>(result: z.ZodType<T>): z.ZodType<KlapAnswer<T>> =>
  z.object({ error_code: z.number(), result: result.nullish().transform((one) => one ?? null) });

/**
 * Questions to a plug in an encrypted session (KLAP). A proof of the account opens it, and the password is never sent. After a fault, or when the
 * plug has ended the session, the next question opens a new one.
 */
export class KlapSession implements Pick<HttpConnection, 'remote' | 'close'> {
  readonly #connection: SessionConnection;
  readonly #account: Buffer;
  readonly #clock: Clock;
  /** Fields that the vendor's app sends with every question. */
  readonly #asker = { request_time_milis: Date.now(), terminal_uuid: randomBytes(16).toString('base64') };
  #session: Session | null = null;
  #opened = 0;

  constructor(
    connection: SessionConnection,
    { user, password }: { readonly user: string; readonly password: string },
    clock: Clock,
  ) {
    this.#connection = connection;
    this.#account = accountHash(user, password);
    this.#clock = clock;
  }

  /** Address and session: with each new session, another plug of the same account may have answered. */
  get remote(): string {
    return `${this.#connection.remote} ${this.#opened}`;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Throws HttpFault. */
  async ask<A extends KlapAnswer<unknown>>(
    method: string,
    shape: z.ZodType<A>,
    deadlineMs: number,
  ): Promise<JsonAnswer<A>> {
    const ask = () => this.#ask(method, shape, deadlineMs);
    const answer = (await ask()) ?? (await ask());
    if (answer === null) throw new HttpFault('it refuses the session that it has just opened');
    return answer;
  }

  /** Asks in the present session; null: that is over. */
  async #ask<A extends KlapAnswer<unknown>>(
    method: string,
    shape: z.ZodType<A>,
    deadlineMs: number,
  ): Promise<JsonAnswer<A> | null> {
    let session = this.#session;
    this.#session = null;
    if (session === null || this.#clock.nowNs() > session.untilNs) session = await this.#open(deadlineMs);
    const sequence = (session.sequence + 1) | 0;
    session.sequence = sequence;
    const sealed = session.cipher.seal(JSON.stringify({ method, ...this.#asker }), sequence);
    const answer = await this.#post(`request?seq=${sequence}`, sealed, deadlineMs, session.cookie);
    if (answer.status === 403) return null;
    const body = answer.status === 200 ? session.cipher.open(bytesOf(answer), sequence) : '';
    if (body === null) throw new HttpFault('its answer is not signed for this session');
    const said = jsonIn({ ...answer, body }, shape);
    if (said.value.error_code === SESSION_OVER) return null;
    this.#session = session;
    return said;
  }

  async #open(deadlineMs: number): Promise<Session> {
    const local = randomBytes(SEED_BYTES);
    const first = await this.#post('handshake1', local, deadlineMs);
    if (first.status === 403) throw new HttpFault('it refuses programs other than its app (HTTP 403)');
    if (first.status !== 200) throw new HttpFault(`it answers with HTTP ${first.status}, not as a Tapo plug`);
    const remote = bytesOf(first).subarray(0, SEED_BYTES);
    const shown = bytesOf(first).subarray(SEED_BYTES);
    const cookies = first.headers['set-cookie'] ?? '';
    const [cookie] = /TP_SESSIONID=[\x21-\x3a\x3c-\x7e]{1,200}/.exec(cookies) ?? [];
    if (shown.length !== 32 || cookie === undefined) throw new HttpFault('its answer is not that of a Tapo plug');
    if (!shown.equals(proof(local, remote, this.#account))) throw new HttpFault('it refuses this user and password');
    const second = await this.#post('handshake2', proof(remote, local, this.#account), deadlineMs, cookie);
    if (second.status !== 200) throw new HttpFault(`it refuses to open a session (HTTP ${second.status})`);
    const cipher = new KlapCipher(local, remote, this.#account);
    const [, seconds = DAY_S] = /TIMEOUT=(\d{1,9})/.exec(cookies) ?? [];
    const untilNs = this.#clock.nowNs() + secondsToNs(RENEWED_AFTER * Number(seconds));
    this.#opened += 1;
    return { cipher, cookie, untilNs, sequence: cipher.origin };
  }

  #post(path: string, bytes: Buffer, deadlineMs: number, cookie?: string): Promise<HttpAnswer> {
    const headers = { accept: '*/*', 'content-type': 'application/octet-stream', ...(cookie && { cookie }) };
    const body = bytes.toString('latin1');
    return this.#connection.post({ path: `/app/${path}`, headers, encoding: 'latin1', body, deadlineMs });
  }
}

const bytesOf = ({ body }: HttpAnswer): Buffer => Buffer.from(body, 'latin1');
