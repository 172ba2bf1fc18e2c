// Class: system.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { uploadResult } from '../../src/forge/artifact.ts';
import { newestOfEach } from '../../src/forge/artifact-names.ts';
import { readEvent } from '../../src/forge/event.ts';
import { removeLeftFolders } from '../../src/processes/left-folders.ts';
import { ownerToken } from '../../src/processes/owner.ts';
import { digestOfFile } from '../../src/system/made-files.ts';
import { type ArtifactServer, startArtifactServer } from '../servers/artifact-server.ts';
import { unzip } from '../servers/unzip.ts';

const before = { ...process.env };
const listenersBefore = process.listeners('exit');
let directory: string;
let server: ArtifactServer;

beforeEach(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  server = await startArtifactServer();
  directory = mkdtempSync(join(tmpdir(), 'joulediff-artifact-'));
  writeFileSync(join(directory, 'comment.md'), '# Report\n');
  mkdirSync(join(directory, 'logs'));
  writeFileSync(join(directory, 'logs', 'run-1.log'), 'x'.repeat(100_000));
  Object.assign(process.env, server.env, {
    GITHUB_REPOSITORY: 'octo/demo',
    GITHUB_RUN_ID: '12',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_SERVER_URL: 'https://github.com',
  });
});

afterEach(async () => {
  made = digestOfFile;
  jest.restoreAllMocks();
  process.env = { ...before };
  // A failed upload keeps its copy until this process ends.
  for (const listener of process.listeners('exit')) {
    if (listenersBefore.includes(listener)) continue;
    process.removeListener('exit', listener);
    listener(0);
  }
  rmSync(directory, { recursive: true, force: true });
  await server.close();
});

/** What lies in the folder, unless a test says otherwise. */
let made: (path: string) => string | null = digestOfFile;

const upload = (timeoutMs?: number) =>
  uploadResult({
    directory,
    madeDigest: made,
    name: 'joulediff',
    event: readEvent(process.env),
    env: process.env,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });

describe('uploadResult', () => {
  it('uploads every file of the result, and tells the address', async () => {
    const result = await upload();
    expect(result).toEqual({
      url: 'https://github.com/octo/demo/actions/runs/12/artifacts/1',
      id: 1,
      name: 'joulediff',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      leftOut: [],
      changed: [],
      pageUrl: null,
      timedOut: false,
    });
    const files = unzip(server.artifacts.get('joulediff') ?? Buffer.alloc(0));
    expect([...files.keys()].sort()).toEqual(['comment.md', 'logs/run-1.log']);
    expect(files.get('comment.md')?.toString()).toBe('# Report\n');
    expect(files.get('logs/run-1.log')).toHaveLength(100_000);
  });

  it('leaves out what is not what was made, or was not made at all', async () => {
    const digests = new Map(
      ['comment.md', 'logs/run-1.log'].map((name) => [join(directory, name), digestOfFile(join(directory, name))]),
    );
    made = (path) => digests.get(path) ?? null;
    writeFileSync(join(directory, 'comment.md'), '# Energy halved\n');
    writeFileSync(join(directory, 'planted.html'), 'x');
    expect(await upload()).toMatchObject({ changed: ['comment.md', 'planted.html'], leftOut: [] });
    expect([...unzip(server.artifacts.get('joulediff') ?? Buffer.alloc(0)).keys()]).toEqual(['logs/run-1.log']);
  });

  it('leaves out links, which could lead to a secret, and names that the service refuses', async () => {
    writeFileSync(join(directory, 'secret'), 'hunter2');
    symlinkSync('/etc/hostname', join(directory, 'logs', 'link'));
    symlinkSync('/etc', join(directory, 'folder'));
    writeFileSync(join(directory, 'a:b'), '');
    const elsewhere = `${directory}-elsewhere`;
    writeFileSync(elsewhere, 'hunter2');
    linkSync(elsewhere, join(directory, 'second-name'));
    expect(await upload()).toMatchObject({ id: 1, leftOut: ['a:b', 'folder', 'logs/link', 'second-name'] });
    rmSync(elsewhere);
    const names = [...unzip(server.artifacts.get('joulediff') ?? Buffer.alloc(0)).keys()].sort();
    expect(names).toEqual(['comment.md', 'logs/run-1.log', 'secret']);
  });

  it('takes another name where its own is taken, on a second attempt and in a matrix', async () => {
    await upload();
    process.env.GITHUB_RUN_ATTEMPT = '2';
    expect(await upload()).toMatchObject({ name: 'joulediff-attempt-2' });
    expect(await upload()).toMatchObject({ name: expect.stringMatching(/^joulediff-[0-9a-f]{8}$/) });
    expect(server.artifacts.size).toBe(3);
  });

  it('leaves the result of another job of the first attempt to be found beside its own', async () => {
    await upload();
    expect(await upload()).toMatchObject({ name: expect.stringMatching(/^joulediff-[0-9a-f]{8}$/) });
    const uploaded = [...server.artifacts.keys()].map((name, id) => ({ name, id }));
    expect(newestOfEach(uploaded, 'joulediff')).toHaveLength(2);
  });

  it('uploads the report once more by itself, as it is and under the name of its artifact', async () => {
    writeFileSync(join(directory, 'report.html'), '<!doctype html>');
    expect(await upload()).toMatchObject({
      url: 'https://github.com/octo/demo/actions/runs/12/artifacts/1',
      pageUrl: 'https://github.com/octo/demo/actions/runs/12/artifacts/2',
    });
    expect(server.artifacts.get('joulediff.html')?.toString()).toBe('<!doctype html>');
    process.env.GITHUB_RUN_ATTEMPT = '2';
    expect(await upload()).toMatchObject({ pageUrl: expect.stringMatching(/artifacts\/4$/) });
    expect([...server.artifacts.keys()]).toContain('joulediff-attempt-2.html');
  });

  it('uploads no page that is a link, which could lead to a secret', async () => {
    symlinkSync('/etc/hostname', join(directory, 'report.html'));
    expect(await upload()).toMatchObject({ id: 1, pageUrl: null });
    expect([...server.artifacts.keys()]).toEqual(['joulediff']);
  });

  it('is content without the page where only that is refused or hangs', async () => {
    writeFileSync(join(directory, 'report.html'), '<!doctype html>');
    server.onlyArchives('refuse');
    expect(await upload()).toMatchObject({ id: 1, pageUrl: null, timedOut: false });
    server.onlyArchives('hang');
    process.env.GITHUB_RUN_ATTEMPT = '2';
    expect(await upload(1500)).toMatchObject({ name: 'joulediff-attempt-2', pageUrl: null, timedOut: true });
  });

  it('uploads to Gitea and Forgejo, whose pages of artifacts go by their names', async () => {
    process.env.GITHUB_SERVER_URL = 'https://gitea.example/';
    process.env.FORGEJO_ACTIONS = 'true';
    process.env.GITHUB_RUN_NUMBER = '3';
    writeFileSync(join(directory, 'report.html'), '<!doctype html>');
    expect(await upload()).toMatchObject({
      url: 'https://gitea.example/octo/demo/actions/runs/3/artifacts/joulediff',
      pageUrl: 'https://gitea.example/octo/demo/actions/runs/3/artifacts/joulediff.html',
    });
    expect([...server.artifacts.keys()]).toEqual(['joulediff', 'joulediff.html']);
    expect(process.env.GITHUB_SERVER_URL).toBe('https://gitea.example/');
  });

  it('does not even ask a server that the client does not work with', async () => {
    process.env.GITHUB_SERVER_URL = 'https://ghes.example/';
    expect(await upload()).toEqual({ reason: expect.stringContaining('ghes.example'), timedOut: false });
    expect(server.calls).toEqual([]);
  });

  it.each([
    'ACTIONS_RUNTIME_TOKEN',
    'ACTIONS_RESULTS_URL',
  ])('says that there is no service without %s', async (name) => {
    delete process.env[name];
    expect(await upload()).toMatchObject({ reason: 'there is no artifact service here' });
  });

  it.each([
    ['a malformed token', { ACTIONS_RUNTIME_TOKEN: 'x' }],
    ['an address nobody listens at', { ACTIONS_RESULTS_URL: 'http://127.0.0.1:1/' }],
    ['an address that is none', { ACTIONS_RESULTS_URL: 'nonsense' }],
  ])('gives a reason for %s', async (_, env) => {
    Object.assign(process.env, env);
    expect(await upload()).toEqual({ reason: expect.stringMatching(/^[^\n]{5,300}$/), timedOut: false });
  });

  it('gives the server’s own reason when it refuses', async () => {
    server.failWith(403, 'insufficient usage to create artifact');
    expect(await upload()).toMatchObject({ reason: expect.stringMatching(/quota/) });
  });

  it('gives a reason when the directory is gone', async () => {
    rmSync(directory, { recursive: true });
    expect(await upload()).toMatchObject({ reason: expect.stringContaining('ENOENT') });
    mkdirSync(directory);
  });

  it('leaves no copy where the job is killed meanwhile: the next start knows it', async () => {
    process.env.RUNNER_TEMP = join(directory, 'logs', 'temp');
    mkdirSync(process.env.RUNNER_TEMP);
    const reported: string[] = [];
    // What the start after a kill of this very process would do, when the copy is being made.
    made = () => {
      reported.push(...removeLeftFolders(({ owner }) => owner === ownerToken()));
      return null;
    };
    await upload();
    expect(reported).toEqual([expect.stringMatching(/^Removed the copy of a result in .*joulediff-artifact-/)]);
  });

  it('gives up when the time is over', async () => {
    server.hang();
    expect(await upload(50)).toEqual({ reason: 'the upload did not finish within 0.05 s', timedOut: true });
  });

  describe('in a process of its own, whose client would end it where a copy is gone while it is packed', () => {
    let temporary: string;

    beforeEach(() => {
      temporary = mkdtempSync(join(tmpdir(), 'joulediff-runner-temp-'));
      for (let i = 0; i < 48; i++) writeFileSync(join(directory, `noise${i}`), randomBytes(2 ** 20));
    });

    afterEach(() => {
      rmSync(temporary, { recursive: true });
    });

    const uploading = (timeoutMs: number) => {
      const source = (file: string) => JSON.stringify(join(import.meta.dirname, '../../src', file));
      const script = `
        import { uploadResult } from ${source('forge/artifact.ts')};
        import { readEvent } from ${source('forge/event.ts')};
        import { digestOfFile } from ${source('system/made-files.ts')};
        const { env } = process;
        const directory = ${JSON.stringify(directory)};
        const event = readEvent(env);
        const request = { directory, madeDigest: digestOfFile, name: 'joulediff', event, env, timeoutMs: ${timeoutMs} };
        console.log('RESULT ' + JSON.stringify(await uploadResult(request)));`;
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
        env: { ...process.env, RUNNER_TEMP: temporary },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = once(child, 'close');
      const result = (async () => {
        for await (const line of createInterface({ input: child.stdout })) {
          if (line.startsWith('RESULT ')) return JSON.parse(line.slice(7));
        }
      })();
      child.stderr.resume();
      return { result, code: ended.then(([code]) => code) };
    };

    it('packs on where the time is over, and removes the copy at its end', async () => {
      const release = server.holdBlocks();
      const { result, code } = uploading(10_000);
      expect(await result).toMatchObject({ timedOut: true });
      release();
      expect([await code, readdirSync(temporary)]).toEqual([0, []]);
      expect(unzip(server.artifacts.get('joulediff') ?? Buffer.alloc(0)).size).toBe(50);
    });

    it('packs on where the server refuses the first part, and removes the copy at its end', async () => {
      server.refuseBlocks();
      const { result, code } = uploading(60_000);
      expect(await result).toEqual({ reason: expect.stringContaining('403'), timedOut: false });
      expect([await code, readdirSync(temporary)]).toEqual([0, []]);
    });
  });

  it('leaves no copy behind when the time is over while files are copied', async () => {
    for (let i = 0; i < 300; i++) {
      mkdirSync(join(directory, `folder${i}`));
      writeFileSync(join(directory, `folder${i}`, 'file'), 'x');
    }
    const temporary = mkdtempSync(join(tmpdir(), 'joulediff-runner-temp-'));
    process.env.RUNNER_TEMP = temporary;
    let copied = 0;
    made = (path) => {
      copied += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      return digestOfFile(path);
    };
    expect(await upload(50)).toMatchObject({ timedOut: true });
    const atEnd = copied;
    expect(atEnd).toBeLessThan(300);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([copied, readdirSync(temporary)]).toEqual([atEnd, []]);
    rmSync(temporary, { recursive: true });
  });

  it('works beside an event file that is broken', async () => {
    const path = join(directory, 'comment.md');
    process.env.GITHUB_EVENT_PATH = path;
    expect(await upload()).toMatchObject({ id: 1 });
    expect(process.env.GITHUB_EVENT_PATH).toBe(path);
  });
});
