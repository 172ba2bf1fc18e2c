// Class: system.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { compose } from '../../src/executors/compose/command.ts';
import { git } from '../../src/measure/checkout/git.ts';
import { Tool } from '../../src/parts/explain/observers/tool.ts';
import { withScratch } from '../../src/parts/fleet/history/stores/git.ts';
import { askProgram } from '../../src/processes/ask-program.ts';
import { Helper } from '../../src/processes/helper.ts';
import { findHierarchies } from '../../src/processes/hierarchies.ts';
import { ownPrefix } from '../../src/processes/left-groups.ts';
import { type Limits, MAX_PIDS } from '../../src/processes/limits.ts';
import { RunGroup } from '../../src/processes/run-group.ts';
import { eventually, isRunning } from '../executors/bench.ts';
import { itAsRoot } from '../setup/as-root.ts';

const most: Limits = { pids: 40, memoryBytes: 32 * 2 ** 20 };
/** So many processes may need more memory than that before they are too many. */
const few: Limits = { ...most, memoryBytes: 2 ** 30 };
const signal = new AbortController().signal;
const groups = () =>
  findHierarchies().flatMap(({ parent }) =>
    readdirSync(parent).filter(
      (name) => name.startsWith(`${ownPrefix()}helper-`) || name.startsWith(`${ownPrefix()}ask-`),
    ),
  );

/** Natively real, where a control group can be made. */
const describeWithGroups = ((): boolean => {
  const probe = new RunGroup('test', most);
  const { pids, memoryBytes } = probe.held();
  probe.remove();
  return pids !== null && memoryBytes !== null;
})()
  ? describe
  : describe.skip;

let folder: string;
let path: string | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-helper-'));
  path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true, force: true });
});

/** A program of that name, first on PATH, that leaves a daemon and then does `line`. */
function standIn(name: string, line: string): void {
  writeFileSync(
    join(folder, name),
    `#!/bin/sh\nenv -i setsid sh -c 'echo $$ > ${folder}/daemon; exec sleep 300' > /dev/null 2>&1 &\nuntil [ -s ${folder}/daemon ]; do sleep 0.01; done\n${line}\n`,
  );
  chmodSync(join(folder, name), 0o755);
}

const EATS = 'head -c 300000000 /dev/zero | tail > /dev/null; exit 1';
const FORKS = 'i=0; while [ $i -lt 100 ]; do sleep 300 > /dev/null 2>&1 & i=$((i + 1)); done; exit 1';

const STARTS: readonly (readonly [string, string, (limits: Limits) => Promise<unknown>])[] = [
  ['git', 'git status failed in /', (limits) => git('/', ['status'], { signal, most: limits })],
  ['git', 'git init failed', (limits) => withScratch({ url: folder, token: '' }, async () => {}, limits)],
  [
    'docker',
    'docker compose config failed',
    (limits) =>
      compose({ words: ['config'], env: { PATH: process.env.PATH ?? '' }, directory: '/', signal, most: limits }),
  ],
  ['getent', 'getent did not answer', async (limits) => askProgram('getent', ['passwd', 'nobody'], undefined, limits)],
];

async function thrownBy(start: () => Promise<unknown>): Promise<string> {
  return start().then(
    () => 'nothing',
    (thrown: Error) => thrown.message,
  );
}

/** Nothing that hid is left, nor a group. */
async function expectNothingLeft(): Promise<void> {
  const daemon = Number(readFileSync(join(folder, 'daemon'), 'utf8'));
  await eventually(() => !isRunning(daemon));
  await eventually(() => {
    new RunGroup('next').remove();
    return groups().length === 0;
  });
}

describeWithGroups('a program that helps joulediff', () => {
  it.each(STARTS)('%s is ended where it takes all memory: “%s”', async (name, what, start) => {
    standIn(name, EATS);
    const who = name === 'docker' ? 'docker compose' : name;
    expect(await thrownBy(() => start(most))).toBe(`${what}. It needed more memory than ${who} may have (32 MiB).`);
    await expectNothingLeft();
  });

  it.each(STARTS)('%s has no more processes than it may: “%s”', async (name, what, start) => {
    standIn(name, FORKS);
    const who = name === 'docker' ? 'docker compose' : name;
    expect(await thrownBy(() => start(few))).toBe(`${what}. It needed more processes than ${who} may have (40).`);
    await expectNothingLeft();
  });

  it('and looks on says that it needed too much, in the run and after it', async () => {
    standIn('perf', EATS);
    const ended = await Tool.start('perf', ['script'], false, most);
    await expect(ended.end(600_000)).rejects.toMatchObject({ limitation: 'too-much' });
    await expectNothingLeft();
    rmSync(join(folder, 'daemon'));
    const gone = await Tool.start('perf', ['stat'], false, most);
    await eventually(() => !gone.isRunning);
    expect(gone.lost()).toMatchObject({ limitation: 'too-much' });
    await gone.kill();
    await expectNothingLeft();
  });

  it('may be asked from a group that stays as it is, and gives its own answer', () => {
    const own = readFileSync('/proc/self/cgroup', 'latin1');
    const { stdout } = askProgram('cat', ['/proc/self/cgroup']);
    expect(stdout).toContain(`${ownPrefix()}ask-`);
    expect(readFileSync('/proc/self/cgroup', 'latin1')).toBe(own);
    expect(existsSync(folder)).toBe(true);
  });
});

// As an ordinary user meets it, who may make no control group.
it.each([
  [
    'memory',
    '{ head -c 300000000 /dev/zero; sleep 300; } | tail > /dev/null',
    'more memory than git may have (32 MiB)',
  ],
  ['processes', FORKS.replace('exit 1', 'wait'), 'more processes than git may have (40)'],
])('a program in no group is ended with all that it started where it takes too much: %s', async (_, line, reported) => {
  const helper = new Helper('git', most, false);
  const child = helper.born(
    () => spawn('sh', ['-c', `: ${folder}; ${line}`], { stdio: 'ignore' }),
    () => undefined,
  );
  const started: number[] = [];
  const looking = setInterval(() => {
    const ids = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'latin1').split(' ').filter(Boolean);
    for (const id of ids.map(Number)) if (!started.includes(id)) started.push(id);
  }, 50);
  await once(child, 'exit');
  clearInterval(looking);
  expect(helper.reached()).toBe(`It needed ${reported}.`);
  await helper.end();
  expect(started.length).toBeGreaterThan(1);
  await eventually(() => !started.some(isRunning));
});

itAsRoot(
  'an ordinary user’s is held to a number of processes between two looks, and what it left is ended',
  async () => {
    const helper = new URL('../../src/processes/helper.ts', import.meta.url).href;
    const script = `
    const { Helper } = await import(${JSON.stringify(helper)});
    const { spawn } = await import('node:child_process');
    const { once } = await import('node:events');
    const { readFileSync } = await import('node:fs');
    const before = readFileSync('/proc/self/limits', 'latin1');
    const one = new Helper('one');
    const child = one.born(() => spawn('cat', ['/proc/self/limits'], { stdio: ['ignore', 'inherit', 'inherit'] }), () => {});
    await once(child, 'exit');
    await one.end();
    const two = new Helper('two');
    const leaves = ['-c', 'sleep 300 > /dev/null 2>&1 & echo left $!'];
    const parent = two.born(() => spawn('sh', leaves, { stdio: ['ignore', 'inherit', 'inherit'], env: two.marked(process.env) }), () => {});
    await once(parent, 'exit');
    await two.end();
    console.log('as before', readFileSync('/proc/self/limits', 'latin1') === before);
  `;
    const uid = 61_000 + (process.pid % 4000);
    const words = [
      'prlimit',
      `--nproc=${2 * MAX_PIDS}`,
      'setpriv',
      `--reuid=${uid}`,
      '--clear-groups',
      process.execPath,
    ];
    const [program = '', ...rest] = words;
    const { stdout } = await promisify(execFile)(program, [...rest, '--input-type=module', '-e', script], { cwd: '/' });
    const held = Number(/^Max processes +(\d+)/m.exec(stdout)?.[1]);
    expect(held).toBeGreaterThan(MAX_PIDS);
    expect(held).toBeLessThan(MAX_PIDS + 1000);
    expect(stdout).toContain('as before true');
    const left = Number(/^left (\d+)$/m.exec(stdout)?.[1]);
    expect(left).toBeGreaterThan(1);
    await eventually(() => !isRunning(left));
  },
);
