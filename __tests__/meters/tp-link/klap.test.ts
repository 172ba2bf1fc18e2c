// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { accountHash, KlapCipher, proof } from '../../../src/meters/tp-link/klap.ts';

// Expected bytes: KlapTransportV2 of python-kasa 0.12.0, for these seeds and this account.

const local = Buffer.from(Array.from({ length: 16 }, (_, at) => at));
const remote = Buffer.from(Array.from({ length: 16 }, (_, at) => 16 + at));
const account = accountHash('reader@example.com', 'pässword');
const QUESTION = '{"method":"get_emeter_data"}';
const SEALED: readonly [number, string][] = [
  [
    -2120815578,
    '2e49afbbd12251e1786738a9df0400f149355adb6549cb0f1495586bdfee05292d7d66dffa3248fcf42e4084659c8d503a64b130ea2c31499bba13d63d8e753d',
  ],
  [
    2147483647,
    '25ac14521eff5d0207f37b317ff9ba93af002deee7737c3ed7c64a489fb4bfa27bba549e8f023b4678eab330e670a6c37ba16a48af2f840d843c3be78a2f49eb',
  ],
];

it('shows that it knows the account as the vendor’s own programs do', () => {
  expect(account.toString('hex')).toBe('6a43c05ac9c17e7c445de398b3144dacbae99c73057375d194e80e507faf5294');
  expect(proof(local, remote, account).toString('hex')).toBe(
    '45167a7a28ec3670874063658c2324403c80c5502514523dbfee6caf7fc6cabd',
  );
  expect(proof(remote, local, account).toString('hex')).toBe(
    'c94eb37bd2e89158a7e0e8ebf17ebc20868076c01c1ef34fc026dd089a966fa4',
  );
});

describe('a message', () => {
  const cipher = new KlapCipher(local, remote, account);

  it('is numbered, encrypted and signed as the plug expects it', () => {
    expect(cipher.origin).toBe(-2120815579);
    for (const [sequence, hex] of SEALED) {
      expect(cipher.seal(QUESTION, sequence).toString('hex')).toBe(hex);
      expect(cipher.open(Buffer.from(hex, 'hex'), sequence)).toBe(QUESTION);
    }
  });

  it('is none with another number, key or byte, or cut off anywhere', () => {
    const sealed = cipher.seal(QUESTION, 7);
    expect(cipher.open(sealed, 8)).toBeNull();
    expect(new KlapCipher(local, remote, accountHash('a', 'b')).open(sealed, 7)).toBeNull();
    for (let at = 0; at < sealed.length; at++) {
      const other = Buffer.from(sealed);
      other[at] = (other[at] as number) ^ 1;
      expect(cipher.open(other, 7)).toBeNull();
      expect(cipher.open(sealed.subarray(0, at), 7)).toBeNull();
    }
  });
});
