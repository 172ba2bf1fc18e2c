// Class: world.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lockMachine } from '../../src/measure/lock.ts';
import { EVENTS } from '../forge/origin-events.ts';
import { entry } from '../terminal/program.ts';
import { hookWith } from './hook-with.ts';

const LOCK = `hooks.${randomUUID()}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-hooks-'));
  writeFileSync(join(folder, 'joulediff'), `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`);
  chmodSync(join(folder, 'joulediff'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings = () =>
  `JOULEDIFF='${folder}/joulediff'\nNODE='${process.execPath}'\nHOME='${folder}'\nJOULEDIFF_LOCK='${LOCK}'\n`;

/** Runs a hook in a job as Gitea's runner does, which leaves it to the kernel; `conf`: more lines of the owner's settings. */
function hook(name: string, env: Record<string, string> = {}, event?: unknown, conf = '') {
  const script = hookWith(folder, name, `${settings()}${conf}`);
  const eventFile = join(folder, 'event.json');
  writeFileSync(eventFile, event === undefined ? 'not JSON' : JSON.stringify(event));
  const { status, stdout, stderr } = spawnSync(script, [], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, GITHUB_EVENT_PATH: eventFile, ...env },
  });
  return { status, stdout, stderr };
}

const pullRequest = (head: string | null) => ({
  pull_request: { head: { repo: head === null ? null : { full_name: head } }, base: { repo: { full_name: 'us/it' } } },
});
const PUSH = { GITHUB_EVENT_NAME: 'push' };
const PULL = { GITHUB_EVENT_NAME: 'pull_request' };
const FORK = '::error::This machine runs no pull request of a fork';
const UNREADABLE = expect.stringContaining('::error::This machine runs no job whose event it cannot read');

describe('the hook before a job', () => {
  it('lets pushes and pull requests of the repository itself in', () => {
    expect(hook('job-started.sh', PUSH, {})).toMatchObject({ status: 0, stderr: '' });
    expect(hook('job-started.sh', PULL, pullRequest('us/it'))).toMatchObject({ status: 0, stderr: '' });
  });

  it('refuses the pull request of a fork, of a deleted one, and one that it can’t read', () => {
    const target = { GITHUB_EVENT_NAME: 'pull_request_target' };
    for (const env of [PULL, target]) {
      for (const head of ['them/it', null]) {
        const { status, stdout } = hook('job-started.sh', env, pullRequest(head));
        expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining(FORK) });
      }
    }
    for (const event of [undefined, {}, { pull_request: {} }, pullRequest('us/it').pull_request]) {
      expect(hook('job-started.sh', PULL, event)).toMatchObject({ status: 1, stdout: UNREADABLE });
    }
    // A job has an event.
    expect(hook('job-started.sh', PUSH)).toMatchObject({ status: 1, stdout: UNREADABLE });
    expect(hook('job-started.sh', {}, {})).toMatchObject({ status: 1, stdout: UNREADABLE });
    // Whatever its name is said to be.
    expect(hook('job-started.sh', PUSH, pullRequest('them/it')).stdout).toContain(FORK);
  });

  it('says which of its programs can’t be run, instead of what is wrong with a job', () => {
    const tooOld = join(folder, 'too-old');
    writeFileSync(tooOld, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    for (const program of ['/nowhere/node', folder, tooOld]) {
      const { status, stdout } = hook('job-started.sh', PUSH, {}, `NODE='${program}'\n`);
      const sentence = `::error::This machine can read the event of no job: ${program} is no Node.js 24`;
      expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining(sentence) });
      expect(stdout).not.toContain('ALLOW_FORKS');
    }
    for (const program of ['/nowhere/joulediff', folder]) {
      const { status, stdout } = hook('job-started.sh', PUSH, {}, `JOULEDIFF='${program}'\n`);
      expect({ status, stdout }).toEqual({
        status: 1,
        stdout: expect.stringContaining(`::error::${program} cannot be run`),
      });
    }
  });

  it.each(Object.entries(EVENTS))('decides by the table of the action where code is %s', (origin, events) => {
    const said = { fork: FORK, unproved: 'does not prove', unreadable: 'whose event it cannot read', own: '' }[origin];
    for (const [name, event] of events) {
      const { status, stdout } = hook('job-started.sh', { GITHUB_EVENT_NAME: name }, event, 'JOULEDIFF=true\n');
      const expected = { status: origin === 'own' ? 0 : 1, stdout: expect.stringContaining(said as string) };
      expect({ name, event, status, stdout }).toEqual({ name, event, ...expected });
    }
  });

  it('takes no rules from the job’s own variables', () => {
    const rules = join(folder, 'rules');
    writeFileSync(rules, 'ALLOW_FORKS=yes\n');
    const ran = join(folder, 'ran');
    const theirBin = join(folder, 'their-bin');
    mkdirSync(theirBin);
    for (const name of ['sh', 'env', 'id', 'getent', 'cut', 'node', 'joulediff']) {
      writeFileSync(join(theirBin, name), `#!/bin/sh\n: >'${ran}'\necho own\n`, { mode: 0o755 });
    }
    const own = `data:text/javascript,import('node:fs').then(fs=>fs.writeFileSync('${ran}',''));console.log('own');process.exit()`;
    const theirs: Record<string, string>[] = [
      { JOULEDIFF_RUNNER_CONF: rules, ALLOW_FORKS: 'yes', conf: rules },
      { NODE_OPTIONS: `--import=${own}`, NODE: '/bin/true', JOULEDIFF: '/bin/true' },
      { PATH: theirBin, HOME: theirBin },
      { BASH_ENV: `$(: >'${ran}')`, ENV: `$(: >'${ran}')`, SHELLOPTS: 'xtrace', PS4: `$(: >'${ran}')` },
      { 'BASH_FUNC_set%%': `() { : >'${ran}'; exit 0; }`, 'BASH_FUNC_[%%': `() { : >'${ran}'; exit 0; }` },
      { LD_PRELOAD: join(folder, 'nothing.so'), IFS: 'x', NODE_PATH: theirBin },
    ];
    for (const env of theirs) {
      const { status, stdout } = hook('job-started.sh', { ...PULL, ...env }, pullRequest('them/it'));
      expect({ env, status, stdout }).toEqual({ env, status: 1, stdout: expect.stringContaining(FORK) });
      expect({ env, ran: existsSync(ran) }).toEqual({ env, ran: false });
    }
    expect(hook('job-completed.sh', Object.assign({}, ...theirs))).toMatchObject({
      status: 0,
      stdout: expect.not.stringContaining('::warning'),
    });
    expect(existsSync(ran)).toBe(false);
  });

  it('lets a fork in where the owner of the machine allows it', () => {
    expect(hook('job-started.sh', PULL, pullRequest('them/it'), 'ALLOW_FORKS=yes\n').status).toBe(0);
  });

  it('refuses a job while an experiment is measured; the one after a job fails nothing', () => {
    using _lock = lockMachine('the experiment "night"', LOCK);
    const { status, stdout, stderr } = hook('job-started.sh', PUSH, {});
    expect(status).toBe(1);
    expect(stdout).toContain('::error::Another experiment is being measured on this machine');
    expect(stderr).toMatch(/It has been busy since \d{4}-\d\d-\d\d \d\d:\d\d UTC\./);
    expect(stderr).not.toMatch(/night|process/);
    // Where experiments wait for the machine by themselves.
    expect(hook('job-started.sh', PUSH, {}, 'WHEN_BUSY=wait\n')).toMatchObject({ status: 0, stderr: '' });
    expect(hook('job-completed.sh')).toMatchObject({ status: 0, stderr: '' });
    expect(hook('job-completed.sh', {}, undefined, 'JOULEDIFF=/nowhere\n')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('::warning::'),
    });
  });

  it.each([
    'job-started.sh',
    'job-completed.sh',
  ])('ends and hands over what a killed experiment left: %s', async (name) => {
    const place = join(folder, `place-${name}`);
    mkdirSync(place);
    const file = join(place, 'joulediff.yml');
    writeFileSync(
      file,
      '{ workload: { run: "echo $$ >pid.new; mv pid.new pid; exec sleep 600" }, variants: { a: {}, b: {} }, rest: 0s, guard: 0s, meter: estimate }',
    );
    const env = { PATH: process.env.PATH, HOME: folder, NODE_OPTIONS: '', JOULEDIFF_LOCK: LOCK };
    const child = spawn(process.execPath, [entry, 'measure', file, '--out', 'out'], {
      cwd: place,
      env,
      stdio: 'ignore',
    });
    const ended = new Promise((done) => child.on('close', done));
    try {
      await until(() => existsSync(join(place, 'pid')) || child.exitCode !== null);
      expect(child.exitCode).toBe(null);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
    const workload = Number(readFileSync(join(place, 'pid'), 'utf8'));
    expect(existsSync(join(place, 'out', 'experiment.db'))).toBe(false);
    expect(hook(name, PUSH, {})).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(place, 'out', 'experiment.db'))).toBe(true);
    await until(() => hasEnded(workload));
  }, 300_000);
});

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 240_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error('this was waited for in vain');
    await sleep(50);
  }
}

/** What has ended and that nobody waits for stays as a zombie where the first process of a container is no init. */
function hasEnded(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
