// Class: world.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RemoteHost } from '../../src/hosts/host.ts';
import { HostLostError } from '../../src/hosts/link.ts';

// What a machine that is broken or hostile answers. The program in the place of ssh is that machine: a line between adds nothing to what it says.

const { signal: never } = new AbortController();
let folder: string;
const before = process.env.PATH;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-link-'));
  mkdirSync(join(folder, 'bin'));
  process.env.PATH = `${join(folder, 'bin')}${delimiter}${before}`;
});
afterAll(() => {
  process.env.PATH = before;
  rmSync(folder, { recursive: true, force: true });
});

/** `hello`: fields of its greeting; `answer`: to every question, with ID for the number of that. */
function machineThat({ hello = '', answer = '{"id": ID}' }): void {
  const program = `#!/bin/sh
IFS= read -r first
nonce=$(printf %s "$first" | sed 's/^"nonce = \\\\"\\([0-9a-f]*\\).*/\\1/')
echo 'Welcome!'
echo "{\\"joulediff\\": \\"$nonce\\"${hello.replaceAll('"', '\\"')}}"
while IFS= read -r asked; do
  id=$(printf %s "$asked" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')
  sed "s/ID/$id/" <"$0.answer"
done
`;
  writeFileSync(join(folder, 'bin/ssh'), program, { mode: 0o755 });
  writeFileSync(join(folder, 'bin/ssh.answer'), `${answer}\n`);
}

test.each([
  ['{"id": ID}', 'it sent what is no answer (t).'],
  ['{"id": ID, "t": 1.5}', 'it sent what is no answer (t).'],
  ['{"id": ID, "t": -1}', 'it sent what is no answer (t).'],
  ['{"id": ID, "t": 1e400}', 'it sent what is no answer (t).'],
  ['{"id": ID, "t": NaN}', 'it sent what is no answer.'],
])('a clock that answers %s is a connection that was lost, and told', async (answer, why) => {
  machineThat({ answer });
  await using host = await RemoteHost.open('ssh://sut', never, () => {});
  const error = await host.clock().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HostLostError);
  expect(error).toMatchObject({ message: `The connection to ssh://sut was lost: ${why}` });
  expect(host.connection.isLost).toBe(true);
});

test('answers that nobody asked for, or that come twice, are no answers to another question', async () => {
  // After 104 days it is no integer that every double holds.
  machineThat({ answer: '{"id": 999999, "t": 1}\n{"id": ID, "t": 10000000000000001}\n{"id": ID, "t": 5}' });
  await using host = await RemoteHost.open('ssh://sut', never, () => {});
  expect((await host.clock()).thereNs).toBe(10_000_000_000_000_000n);
});

test('a greeting is found behind what a login shell says without ending its line', async () => {
  const shell = `printf '\\033]0;sut\\007'; for last; do :; done; TMPDIR=${folder} exec sh -c "$last"`;
  writeFileSync(join(folder, 'bin/ssh'), `#!/bin/sh\n${shell}\n`, { mode: 0o755 });
  await using host = await RemoteHost.open('ssh://sut', never, () => {});
  expect((await host.clock()).thereNs).toBeGreaterThan(0n);
});

test('a greeting that is none is told at once', async () => {
  machineThat({ hello: ', "folder": 7' });
  await expect(RemoteHost.open('ssh://sut', never, () => {})).rejects.toThrow(
    'The connection to ssh://sut was lost: it sent what is no answer (folder).',
  );
});
