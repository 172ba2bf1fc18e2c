// Class: world.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { helperProgram } from '../../src/hosts/helper.ts';
import { eventually, isRunning } from '../executors/bench.ts';

// The helper itself, as ssh would start it, without a line between.

let folder: string;
let helper: ChildProcessWithoutNullStreams;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-helper-'));
});
afterEach(() => {
  helper.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Seconds for which it waits for somebody to take what it writes; it waits for hours to hear of somebody. */
const PATIENCE_S = 5;

/** `change`: what it does first; `login`: variables of whoever logged in. */
function start(change = '', login: Readonly<Record<string, string>> = {}): void {
  const given = helperProgram({ nonce: 'nonce', token: folder, asker: '', what: null });
  const program = given
    .replace('LEASE_S = 60.0', 'LEASE_S = 9999.0')
    .replace('int(LEASE_S)', String(PATIENCE_S))
    // What other tests leave in /tmp is not looked at, and what a test lays here need not get old.
    .replace(/^BASES = .*$/m, `BASES = [${JSON.stringify(folder)}]`)
    .replace('YOUNG_S = 30.0', 'YOUNG_S = 0.0');
  expect(program).toContain(`signal.alarm(${PATIENCE_S})`);
  const begin = 'import json;exec(json.loads(open(0,"rb",0,closefd=False).readline()))';
  // Nothing of anybody else's is in such a folder: it is no place of his.
  const env = { PATH: process.env.PATH ?? '', TMPDIR: folder, HOME: folder, ...login };
  helper = spawn('python3', ['-I', '-u', '-c', begin], { stdio: 'pipe', env });
  helper.stdin.on('error', () => {});
  const changed = program.replace('PREFIX = ', () => `${change}\nPREFIX = `);
  ask(changed);
}

const ask = (question: unknown): void => void helper.stdin.write(`${JSON.stringify(question)}\n`);
const ended = async (): Promise<void> => void (helper.exitCode ?? helper.signalCode ?? (await once(helper, 'exit')));
const places = (): string[] => readdirSync(folder).filter((name) => name.startsWith('joulediff-ssh-'));

/** A workload that is not ended by being asked; its number. */
async function startWorkload(): Promise<number> {
  const reported = join(folder, 'told');
  const argv = [
    'sh',
    '-c',
    'trap "" TERM HUP; echo $$ > "$0.new"; mv "$0.new" "$0"; while :; do sleep 1; done',
    reported,
  ];
  ask({ id: 1, op: 'run', argv, cwd: '/', env: {}, timeout: null, most: 1000, ends_others: true });
  await eventually(() => existsSync(reported));
  return Number(readFileSync(reported, 'utf8'));
}

async function greeting(left: readonly string[] = []): Promise<void> {
  const lines = createInterface({ input: helper.stdout });
  // An empty one comes first, which ends what a login shell said.
  const hello = await new Promise<string>((resolve) => lines.on('line', (line) => line !== '' && resolve(line)));
  lines.close();
  expect(JSON.parse(hello)).toMatchObject({ joulediff: 'nonce', left });
}

const MARK = JSON.stringify({ pid: 1, token: 'other', asker: '', from: '' });

/** Makes a folder with these files. */
function lay(name: string, files: Readonly<Record<string, string>>, mode = 0o700): string {
  const path = join(folder, name);
  mkdirSync(path, { mode });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

it.each<[string, Readonly<Record<string, string>>]>([
  ['with its mark', { owner: MARK, data: '' }],
  ['killed before it was marked', { 'owner.new': '' }],
  ['killed before anything was in it', {}],
])('removes a folder of an earlier helper, %s', async (_, files) => {
  const left = lay('joulediff-ssh-left', files);
  start();
  await greeting([left]);
  expect(places()).toHaveLength(1);
});

it.each<[string, () => string]>([
  ['a folder of the user’s own with such a name', () => lay('joulediff-ssh-demo', { data: '' })],
  ['a folder whose owner file is none of a helper', () => lay('joulediff-ssh-demo', { owner: 'Alice', data: '' })],
  ['a folder that others may read, with a mark', () => lay('joulediff-ssh-demo', { owner: MARK, data: '' }, 0o755)],
  ['a link to another folder', () => linkTo(lay('home', { data: '' }))],
  ['a link to a folder with a mark', () => linkTo(lay('home', { owner: MARK, data: '' }))],
  ['a folder whose mark is a link', () => linkTo(lay('home', { mark: MARK, data: '' }), 'mark')],
])('leaves %s as it is', async (_, make) => {
  const kept = make();
  const before = readdirSync(kept);
  start();
  await greeting();
  expect(readdirSync(kept)).toEqual(before);
  expect(existsSync(join(kept, 'data'))).toBe(true);
});

/** Makes a link to a folder, or a folder whose mark is a link to a file in it. */
function linkTo(target: string, mark?: string): string {
  const link = join(folder, 'joulediff-ssh-link');
  if (mark === undefined) symlinkSync(target, link);
  else symlinkSync(join(target, mark), join(lay('joulediff-ssh-link', { data: '' }), 'owner'));
  return mark === undefined ? target : link;
}

it.each<['run' | 'service', Record<string, string>, string]>([
  ['run', {}, '/usr'],
  ['run', { PWD: '/own' }, '/own'],
  ['service', {}, '/usr'],
])('starts a %s, given %j, with the folder %s in PWD', async (op, env, folderThere) => {
  start('', { PWD: '/home', OLDPWD: '/' });
  await greeting();
  const reported = join(folder, 'told');
  const tell = `import os; open("${reported}.new", "w").write(repr([os.environ.get(name) for name in ("PWD", "OLDPWD")]))`;
  const argv = ['python3', '-c', `${tell}; os.rename("${reported}.new", "${reported}")`];
  const about = op === 'run' ? { timeout: null, most: 1000, ends_others: true } : { name: 'one' };
  ask({ id: 1, op, argv, cwd: '/usr', env, ...about });
  await eventually(() => existsSync(reported));
  expect(readFileSync(reported, 'utf8')).toBe(`['${folderThere}', None]`);
});

it.each<['run' | 'service', Record<string, string>]>([
  ['run', {}],
  ['service', {}],
  ['run', { LC_CTYPE: 'C', ODD: 'a=b\nc' }],
])('starts a %s in the locale of whoever logged in, with %j, and not in one of Python’s own', async (op, login) => {
  start('', login);
  await greeting();
  const reported = join(folder, 'told');
  const argv = ['sh', '-c', 'tr "\\0" "\\1" </proc/self/environ >"$0.new"; mv "$0.new" "$0"', reported];
  const about = op === 'run' ? { timeout: null, most: 1000, ends_others: true } : { name: 'one' };
  ask({ id: 1, op, argv, cwd: '/', env: {}, ...about });
  await eventually(() => existsSync(reported));
  const variables = readFileSync(reported, 'utf8').split('\x01');
  expect(variables.filter((one) => /^(?:LC_|LANG|ODD)/.test(one)).sort()).toEqual(
    Object.entries(login).map(([name, value]) => `${name}=${value}`),
  );
});

it('ends what runs, and removes its folder, where nobody takes what it writes', async () => {
  start();
  await greeting();
  const workload = await startWorkload();
  helper.stdout.pause();
  const large = Array.from({ length: 16 }, (_, i) => join(folder, `large${i}`));
  for (const path of large) writeFileSync(path, 'x'.repeat(2 ** 20));
  ask({ id: 2, op: 'files', patterns: large, names: [], links: [] });
  await ended();
  await eventually(() => !isRunning(workload));
  expect(places()).toEqual([]);
});

it('ends what runs, and removes its folder, where several signals come at once, and more of them while it does so', async () => {
  start();
  await greeting();
  const workload = await startWorkload();
  const more = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGALRM'] as const;
  const signal = () => {
    for (const name of more) helper.kill(name);
  };
  signal();
  // Until the workload, which takes its time, has been killed.
  const again = setInterval(signal, 50);
  await ended().finally(() => clearInterval(again));
  await eventually(() => !isRunning(workload));
  expect(places()).toEqual([]);
});

it('gives up a name that nobody answers for, when it was told to', async () => {
  start('socket.getaddrinfo = lambda *_, **__: time.sleep(600)');
  await greeting();
  ask({ id: 1, op: 'reach', host: 'load.lan', port: 80, within: 0.2 });
  const [said] = await once(createInterface({ input: helper.stdout }), 'line');
  expect(JSON.parse(said)).toEqual({ id: 1, error: 'its name was not found within 0.2 s' });
  helper.stdin.end();
  await ended();
  expect(places()).toEqual([]);
});
