import { createHash, generateKeyPairSync, sign } from 'node:crypto';

export interface SelfSigned {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
  /** SHA-256, as `?fingerprint=` takes it. */
  readonly fingerprint: string;
}

const [INTEGER, BIT_STRING, OID, UTF8, UTC_TIME, SEQUENCE, SET, VERSION] = [2, 3, 6, 12, 23, 48, 49, 160];
const DAY_MS = 86_400_000;

/** A certificate as management controllers make their own, for an emulated one: X.509 version 3 (RFC 5280) on the curve P-256, good for a year. */
export function selfSigned(commonName: string): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, der(OID, Buffer.from('2a8648ce3d040302', 'hex'))); // ecdsa-with-SHA256
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OID, Buffer.from('550403', 'hex')), der(UTF8, commonName))));
  const time = (ms: number) =>
    der(
      UTC_TIME,
      `${new Date(ms)
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    );
  const content = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    der(SEQUENCE, time(Date.now() - DAY_MS), time(Date.now() + 365 * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]);
  const certificate = der(SEQUENCE, content, algorithm, der(BIT_STRING, signature));
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    fingerprint: createHash('sha256').update(certificate).digest('hex'),
  };
}

/** One value in the distinguished encoding (X.690). */
function der(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
