// Class: system.
import { describe, expect, it } from '@jest/globals';
import { authorization, parseChallenge } from '../../../src/meters/network/digest.ts';

describe('digest authentication', () => {
  // RFC 7616, section 3.9.1.
  const NONCE = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v';
  const CNONCE = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
  const header = (algorithm: string) =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${NONCE}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;

  it.each([
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ])('answers as the standard does, by %s', (algorithm, response) => {
    const challenge = parseChallenge(header(algorithm));
    if (challenge === null) throw new Error('not understood');
    const given = authorization(
      challenge,
      { user: 'Mufasa', password: 'Circle of Life' },
      '/dir/index.html',
      1,
      CNONCE,
    );
    expect(given).toContain(`response="${response}"`);
    expect(given).toContain('nc=00000001');
    expect(given).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"');
  });

  it.each([
    undefined,
    'Basic realm="x"',
    'Digest nonce="x"',
    header('SHA-512-256'),
    'Digest realm="a", nonce="b", qop="auth-int"',
  ])('does not answer %s', (text) => {
    expect(parseChallenge(text)).toBeNull();
  });
});
