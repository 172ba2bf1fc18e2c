import { createHash, randomBytes } from 'node:crypto';

/** What a device asks for in `WWW-Authenticate`. */
export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly algorithm: 'SHA-256' | 'MD5';
  readonly qop: boolean;
  readonly opaque: string | null;
}

/** Parses a challenge; null: it is no digest, or of an unknown method. */
export function parseChallenge(header: string | undefined): Challenge | null {
  if (header === undefined || !/^digest\s/i.test(header)) return null;
  const parts = new Map<string, string>();
  for (const [, key, quoted, bare] of header.slice(7).matchAll(/([a-z]+)\s*=\s*(?:"([^"]*)"|([^\s,"]+))/gi)) {
    parts.set(key!.toLowerCase(), quoted ?? bare ?? '');
  }
  const algorithm = (parts.get('algorithm') ?? 'MD5').toUpperCase();
  const realm = parts.get('realm');
  const nonce = parts.get('nonce');
  if (realm === undefined || nonce === undefined || (algorithm !== 'SHA-256' && algorithm !== 'MD5')) return null;
  const qops = parts.get('qop')?.split(/\s*,\s*/);
  if (qops !== undefined && !qops.includes('auth')) return null;
  return { realm, nonce, algorithm, qop: qops !== undefined, opaque: parts.get('opaque') ?? null };
}

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** The `Authorization` header of a GET (RFC 7616 §3.4). `count`: number of uses of this nonce, from 1 on. */
export function authorization(
  challenge: Challenge,
  { user, password }: Credentials,
  path: string,
  count: number,
  cnonce: string = randomBytes(8).toString('hex'),
): string {
  const { realm, nonce, algorithm, qop, opaque } = challenge;
  const hash = (text: string) =>
    createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex');
  const nc = count.toString(16).padStart(8, '0');
  const [who, what] = [hash(`${user}:${realm}:${password}`), hash(`GET:${path}`)];
  const response = hash(qop ? `${who}:${nonce}:${nc}:${cnonce}:auth:${what}` : `${who}:${nonce}:${what}`);
  const fields = [
    `username="${user}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${path}"`,
    `algorithm=${algorithm}`,
    ...(qop ? ['qop=auth', `nc=${nc}`, `cnonce="${cnonce}"`] : []),
    `response="${response}"`,
    ...(opaque === null ? [] : [`opaque="${opaque}"`]),
  ];
  return `Digest ${fields.join(', ')}`;
}
