// Class: system.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loginFor } from '../../../src/executors/container/logins.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-logins-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A credential helper that knows one registry, and one that never ends its answer. */
writeFileSync(
  join(folder, 'docker-credential-box'),
  '#!/bin/sh\nread -r host\n[ "$1 $host" = "get held.test" ] && echo \'{"Username":"ci","Secret":"from the box"}\' || { echo "credentials not found"; exit 1; }\n',
);
writeFileSync(join(folder, 'docker-credential-token'), '#!/bin/sh\necho \'{"Username":"<token>","Secret":"tok"}\'\n');
for (const name of ['box', 'token']) chmodSync(join(folder, `docker-credential-${name}`), 0o755);

const auth = (text: string) => ({ auth: Buffer.from(text).toString('base64') });
const CONFIG = {
  auths: {
    'localhost:5000': auth('ci:right:password'),
    'https://index.docker.io/v1/': auth('hub:secret'),
    'https://old.test/v1/': { username: 'u', password: 'p' },
    'id.test': { ...auth('00000000-0000:'), identitytoken: 'long' },
    'empty.test': {},
    'held.test': auth('not:this'),
  },
  credHelpers: { 'held.test': 'box', 'tok.test': 'token', 'bad.test': '../box', 'none.test': 'missing' },
};

async function login(reference: string, config: unknown = CONFIG) {
  writeFileSync(join(folder, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config));
  return loginFor(reference, { DOCKER_CONFIG: folder, PATH: `${folder}:${process.env.PATH}` });
}

describe('the login for an image', () => {
  it.each([
    ['localhost:5000/team/app:1', { username: 'ci', password: 'right:password', serveraddress: 'localhost:5000' }],
    ['debian', { username: 'hub', password: 'secret', serveraddress: 'https://index.docker.io/v1/' }],
    ['team/app@sha256:0', { username: 'hub', password: 'secret', serveraddress: 'https://index.docker.io/v1/' }],
    ['docker.io/team/app', { username: 'hub', password: 'secret', serveraddress: 'https://index.docker.io/v1/' }],
    ['old.test/app', { username: 'u', password: 'p', serveraddress: 'old.test' }],
    ['id.test/app', { identitytoken: 'long', serveraddress: 'id.test' }],
    ['held.test/app', { username: 'ci', password: 'from the box', serveraddress: 'held.test' }],
    ['tok.test/app', { identitytoken: 'tok', serveraddress: 'tok.test' }],
    ['empty.test/app', null],
    ['bad.test/app', null],
    ['none.test/app', null],
    ['other.test/app', null],
    ['localhost:5001/app', null],
  ])('%s is %j', async (reference, expected) => {
    expect(await login(reference)).toEqual(expected);
  });

  it('comes from the store where one is named, and from the file for what the store lacks', async () => {
    const config = { ...CONFIG, credHelpers: {}, credsStore: 'box' };
    expect(await login('held.test/app', config)).toMatchObject({ password: 'from the box' });
    expect(await login('localhost:5000/app', config)).toMatchObject({ password: 'right:password' });
  });

  it.each(['', '{', '[]', '{"auths": 3}'])('is none where the file is %j', async (text) => {
    expect(await login('debian', text)).toBeNull();
  });
});
