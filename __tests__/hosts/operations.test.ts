// Class: system.
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { helperProgram } from '../../src/hosts/helper.ts';
import { type AnsweredName, OPERATIONS, type OperationName, type Query } from '../../src/hosts/operations.ts';

// The helper itself, without a line or a second machine between. What needs an engine is in executors/container/remote.

let folder: string;
let helper: ChildProcessWithoutNullStreams;
const answers = new Map<number, (answer: Record<string, unknown>) => void>();
let lastId = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-operations-'));
  const begin = 'import json;exec(json.loads(open(0,"rb",0,closefd=False).readline()))';
  const env = { PATH: process.env.PATH ?? '', TMPDIR: folder, HOME: folder };
  helper = spawn('python3', ['-I', '-u', '-c', begin], { stdio: 'pipe', env });
  helper.stdin.write(`${JSON.stringify(helperProgram({ nonce: 'n', token: folder, asker: '', what: null }))}\n`);
  const lines = createInterface({ input: helper.stdout });
  // An empty one comes first, which ends what a login shell said.
  const hello = await new Promise<string>((resolve) => lines.on('line', (line) => line !== '' && resolve(line)));
  expect(JSON.parse(hello)).toMatchObject({ joulediff: 'n' });
  lines.on('line', (line) => {
    const answer = JSON.parse(line);
    answers.get(answer.id)?.(answer);
  });
});
afterAll(() => {
  helper.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const send = (message: object): Promise<Record<string, unknown>> => {
  const id = ++lastId;
  const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
  answers.set(id, resolve);
  helper.stdin.write(`${JSON.stringify({ ...message, id })}\n`);
  return promise;
};

/** The answer as the schema of its operation reads it, which every key of it stands in. */
async function ask<N extends AnsweredName>(op: N, question: Query<N>) {
  const { id: _, ...answer } = await send({ ...question, op });
  expect(answer).not.toHaveProperty('error');
  const given = OPERATIONS[op].gives.parse(answer);
  expect(Object.keys(given).sort()).toEqual(Object.keys(answer).sort());
  return given as Record<string, unknown>;
}

const printed = (answer: Record<string, unknown>): string =>
  (answer.parts as string[]).map((part) => Buffer.from(part, 'base64').toString()).join('');

describe('the helper answers as its operations say', () => {
  const start = { cwd: '/', env: { GREETING: 'hello' } };

  it('for a command, what it printed and when', async () => {
    const argv = ['sh', '-c', 'echo "$GREETING"; exit 3'];
    const run = await ask('run', { ...start, argv, timeout: 5, most: 1000, ends_others: true, stamped: true });
    expect(run).toMatchObject({ exit_code: 3, signal: null, left: [], timed_out: false });
    const { data, size } = await ask('printed', { begin: 1, end: 1000 });
    expect([Buffer.from(data as string, 'base64').toString(), size]).toEqual(['ello\n', 6]);
    const { stamps } = await ask('stamps', {});
    expect(stamps).toEqual([[6, expect.any(Number), expect.any(Number)]]);
    const { t } = await ask('clock', {});
    expect(t).toBeGreaterThan(run.end as number);
    expect(await ask('sweep', {})).toEqual({ remaining: [] });
  });

  it('for a stop, which is answered by the command that it ends', async () => {
    const running = ask('run', { ...start, argv: ['sleep', '600'], timeout: null, most: 1000, ends_others: true });
    await send({ op: 'clock' });
    helper.stdin.write(`${JSON.stringify({ op: 'stop', id: 0 })}\n`);
    expect(await running).toMatchObject({ exit_code: null, signal: 'SIGTERM' });
  });

  it('for a command, what it left, which is nothing that a server of prepare starts meanwhile', async () => {
    const cwd = mkdtempSync(join(folder, 'prepared-'));
    const worker = (sign: string, start: string) => `until test -e go; do sleep 0.02; done; ${start} touch ${sign}`;
    // One has overwritten its marks, the other starts a worker that loses its parent.
    const servers = [
      `exec env -i sh -c '${worker('first', 'sleep 600 &')}; wait'`,
      `${worker('second', '(setsid sleep 600 &);')}; sleep 600`,
    ];
    const sh = (script: string, env: Record<string, string>, ends_others: boolean) =>
      ask('run', { argv: ['sh', '-c', script], cwd, env, timeout: 60, most: 1000, ends_others });
    const marks = { JOULEDIFF_STAGE: 'prepare' };
    const prepared = await sh(servers.map((server) => `(${server}) &`).join('\n'), marks, false);
    // Between two rounds of the loops, no sleep is there.
    expect(prepared).toMatchObject({ exit_code: 0, left: expect.arrayContaining(['sh']) });
    const own = { JOULEDIFF_STAGE: 'run' };
    const waiting = 'touch go; until test -e first && test -e second; do sleep 0.02; done';
    expect(await sh(waiting, own, true)).toMatchObject({ exit_code: 0, left: [] });
    expect(await sh('sleep 600 &', own, true)).toMatchObject({ left: ['sleep'], remaining: [] });
    expect(await ask('sweep', {})).toEqual({ remaining: [] });
  });

  it('for files, folders and the user', async () => {
    const path = join(folder, 'a text');
    writeFileSync(path, 'text');
    const files = await ask('files', { patterns: [`${folder}/a*`], names: [path], links: ['/proc/self/exe'] });
    expect(files).toMatchObject({ texts: { [path]: 'text' }, owners: { [path]: { uid: process.getuid?.() } } });
    expect(Object.keys(files.links as object)).toEqual(['/proc/self/exe']);
    expect(await ask('is_folder', { path: folder })).toEqual({ is: true });
    expect(await ask('is_folder', { path })).toEqual({ is: false });
    expect(await ask('about', { paths: [folder] })).toMatchObject({
      uid: process.getuid?.(),
      free: { [folder]: expect.any(Number) },
    });
  });

  it('for an archive', async () => {
    writeFileSync(join(folder, 'packed'), 'in an archive');
    const archive = execFileSync('tar', ['-C', folder, '-c', 'packed']);
    const half = archive.length / 2;
    for (const part of [archive.subarray(0, half), archive.subarray(half)]) {
      expect(await ask('unpack', { data: part.toString('base64') })).toEqual({});
    }
    const { path } = await ask('unpacked', { into: 'files' });
    expect(readFileSync(join(path as string, 'packed'), 'utf8')).toBe('in an archive');
  });

  it('for a port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await ask('reach', { host: '127.0.0.1', port, within: 2 })).toEqual({});
    server.close();
    await once(server, 'close');
    expect(await send({ op: 'reach', host: '127.0.0.1', port, within: 2 })).toMatchObject({
      error: 'Connection refused',
    });
  });

  it('for a service with processes of its own, beside which a command leaves nothing', async () => {
    const argv = ['sh', '-c', 'sleep 600 & echo ready; wait'];
    expect(await ask('service', { ...start, name: 'forking', argv })).toEqual({});
    let seen = await ask('service_printed', { name: 'forking', most: 1000, seen: 0 });
    while (seen.size === 0) seen = await ask('service_printed', { name: 'forking', most: 1000, seen: 0 });
    const run = { ...start, argv: ['true'], timeout: 60, most: 1000, ends_others: true };
    expect(await ask('run', run)).toMatchObject({ exit_code: 0, left: [] });
    const stopped = await ask('service_stop', { name: 'forking', signal: 'SIGTERM', within: 5, most: 1000 });
    expect(stopped).toMatchObject({ remaining: [] });
  });

  it('for a service, from its start to its end', async () => {
    const name = 'server';
    const argv = ['sh', '-c', 'echo ready; exec sleep 600'];
    expect(await ask('service', { ...start, name, argv })).toEqual({});
    const ended = ask('service_end', { name });
    let seen = await ask('service_printed', { name, most: 1000, seen: 0 });
    while (seen.size === 0) seen = await ask('service_printed', { name, most: 1000, seen: 0 });
    expect(printed(seen)).toBe('ready\n');
    expect(await ask('service_printed', { name, most: 1000, seen: 6 })).toMatchObject({ parts: null, size: 6 });
    expect(await ask('service_try', { ...start, name, argv: ['true'], timeout: 5 })).toEqual({ good: true });
    const trying = ask('service_try', { ...start, name, argv: ['sleep', '600'], timeout: 600 });
    helper.stdin.write(`${JSON.stringify({ op: 'service_enough', name, id: 0 })}\n`);
    expect(await trying).toEqual({ good: false });
    const stopped = await ask('service_stop', { name, signal: 'SIGTERM', within: 5, most: 1000 });
    expect(stopped).toMatchObject({ killed: false, left: [], remaining: [] });
    expect(await ended).toMatchObject({ exit_code: null, signal: 'SIGTERM' });
  });
});

describe('a question that does not fit its schema is refused with the place where it does not', () => {
  const run = { op: 'run', argv: ['true'], cwd: '/', env: {}, timeout: null, most: 10, ends_others: true };

  it.each<[object, string]>([
    [{ op: 'fly' }, 'there is no operation fly'],
    [{}, 'there is no operation None'],
    [{ ...run, argv: 'true' }, 'the question run does not fit: argv'],
    [{ ...run, argv: [] }, 'the question run does not fit: argv'],
    [{ ...run, argv: ['echo', 1] }, 'the question run does not fit: argv[1]'],
    [{ ...run, env: { A: true } }, 'the question run does not fit: env.A'],
    [{ ...run, timeout: -1 }, 'the question run does not fit: timeout'],
    [{ ...run, most: 1.5 }, 'the question run does not fit: most'],
    [{ ...run, most: true }, 'the question run does not fit: most'],
    [{ ...run, more: 1 }, 'the question run does not fit: more'],
    [{ ...run, cwd: undefined }, 'the question run does not fit: cwd'],
    [{ op: 'reach', host: 'a', port: 65_536, within: 1 }, 'the question reach does not fit: port'],
    [
      { op: 'service_stop', name: 'a', signal: '__class__', within: 1, most: 1 },
      'the question service_stop does not fit: signal',
    ],
  ])('%j', async (question, error) => {
    expect(await send(question)).toEqual({ id: lastId, error });
  });
});

it.each<[string, AnsweredName, (long: string) => object]>([
  ['a piece of output', 'printed', (long) => ({ data: long.slice(0, 400_000), size: 1 })],
  ['an end of a service’s output', 'service_printed', (long) => ({ parts: [long], left_out: 0, size: 1 })],
  ['a file', 'files', (long) => ({ texts: { '/proc/stat': long }, links: {}, owners: {} })],
])('an answer with more of %s than the helper gives is refused', (_, op, answer) => {
  expect(OPERATIONS[op].gives.safeParse(answer('AAAA')).success).toBe(true);
  expect(OPERATIONS[op].gives.safeParse(answer('AAAA'.repeat(3e6))).success).toBe(false);
});

it('the helper knows every operation, and no other', () => {
  const program = readFileSync(new URL('../../src/hosts/helper/program.py', import.meta.url), 'utf8');
  const table = /^OPERATIONS = \{$([\s\S]*?)^\}$/m.exec(program)?.[1] ?? '';
  const names = [...table.matchAll(/"(\w+)":/g)].map(([, name]) => name as OperationName);
  expect(names.sort()).toEqual(Object.keys(OPERATIONS).sort());
});

it('it ends, and removes its folder, when it is told to', async () => {
  expect(await ask('bye', {})).toEqual({ remaining: [], removed: true });
  if (helper.exitCode === null) await once(helper, 'exit');
  expect(helper.exitCode).toBe(0);
});
