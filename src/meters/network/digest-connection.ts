import type { HttpAnswer, HttpConnection, HttpQuestion } from './connection.ts';
import { authorization, type Challenge, type Credentials, parseChallenge } from './digest.ts';

/** Number of refusals in a row that shows that a nonce is good for one question only; then each question asks for a new one. */
const REFUSALS = 2;

/** Answers the device's digest challenges. It keeps a nonce as long as the device takes it. */
export class DigestConnection implements HttpConnection {
  readonly #connection: HttpConnection;
  readonly #credentials: Credentials;
  #challenge: Challenge | null = null;
  #count = 0;
  #refused = 0;

  constructor(connection: HttpConnection, credentials: Credentials) {
    this.#connection = connection;
    this.#credentials = credentials;
  }

  async get(question: HttpQuestion): Promise<HttpAnswer> {
    if (this.#refused >= REFUSALS) this.#challenge = null;
    const reused = this.#challenge !== null;
    const first = await this.#ask(question);
    if (first.status !== 401) {
      if (reused) this.#refused = 0;
      return first;
    }
    if (reused) this.#refused += 1;
    this.#challenge = parseChallenge(first.headers['www-authenticate']);
    this.#count = 0;
    return this.#challenge === null ? first : this.#ask(question);
  }

  #ask(question: HttpQuestion): Promise<HttpAnswer> {
    if (this.#challenge === null) return this.#connection.get(question);
    this.#count += 1;
    const header = authorization(this.#challenge, this.#credentials, question.path, this.#count);
    return this.#connection.get({ ...question, headers: { ...question.headers, authorization: header } });
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
