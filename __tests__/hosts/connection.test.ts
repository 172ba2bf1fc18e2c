// Class: world.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { judge } from '../../src/executors/leftovers/reaper.ts';
import { Connection, HostTaken } from '../../src/hosts/connection.ts';
import { CONDITIONS, RemoteFiles } from '../../src/hosts/files.ts';
import { RemoteHost } from '../../src/hosts/host.ts';
import { HelperError, HostLostError } from '../../src/hosts/link.ts';
import { lockMachine, MachineTaken, machineHolder } from '../../src/measure/lock.ts';
import { removeLeftFolders } from '../../src/processes/left-folders.ts';
import { nowNs } from '../../src/system/clock.ts';
import { type SecondMachine, SKEW, SSHD, secondMachine } from './sshd.ts';

const never = new AbortController().signal;

/** Another process, with what it needs of joulediff. */
function elsewhere(script: string, env: NodeJS.ProcessEnv = {}) {
  const [connection, lock] = ['hosts/connection.ts', 'measure/lock.ts'].map((path) =>
    fileURLToPath(new URL(`../../src/${path}`, import.meta.url)),
  );
  const words = [
    `const { Connection } = await import('${connection}'); const { lockMachine } = await import('${lock}');`,
    'const never = new AbortController().signal;',
    script,
  ];
  return spawn(process.execPath, ['--input-type=module', '-e', words.join('\n')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
}

async function firstWords(child: ReturnType<typeof elsewhere>): Promise<string> {
  const said = once(child.stdout, 'data').then(([bytes]) => String(bytes));
  return Promise.race([said, once(child, 'exit').then(() => Promise.reject(new Error('it ended without a word')))]);
}

(SSHD === null ? describe.skip : describe)('a machine over ssh (needs openssh-server)', () => {
  let sut: SecondMachine;
  beforeAll(() => {
    sut = secondMachine({ delayMs: 2, jitterMs: 4 });
  });
  afterAll(() => sut[Symbol.dispose]());

  test('its clock is found within the bounds that are stated, an hour off and drifting, and nothing is left there', async () => {
    {
      await using host = await RemoteHost.open(sut.address, never, () => {});
      expect(sut.left()).toHaveLength(1);
      const { hereNs, thereNs, withinNs } = await host.clock();
      // Exact to the rounding of the skewed clock's doubles.
      const trueNs = Number(thereNs - SKEW.offsetNs) / SKEW.rate;
      expect(Math.abs(trueNs - Number(hereNs))).toBeLessThanOrEqual(withinNs + 10_000);
      expect(withinNs).toBeGreaterThan(1.9e6);
    }
    expect(sut.left()).toEqual([]);
  });

  test('files of a repository go over once, and not those that git or joulediff keep there', async () => {
    const root = join(sut.folder, 'repository');
    mkdirSync(join(root, '.git'), { recursive: true });
    mkdirSync(join(root, 'bench/deep'), { recursive: true });
    mkdirSync(join(root, 'result'));
    writeFileSync(join(root, 'bench/deep/run.sh'), 'exit 0', { mode: 0o755 });
    mkdirSync(join(root, 'bench/submodule/.git'), { recursive: true });
    writeFileSync(join(root, 'bench/submodule/.git/config'), 'token');
    writeFileSync(join(root, 'result/experiment.db'), '');
    writeFileSync(join(root, 'result/large.log'), '');
    await using host = await RemoteHost.open(sut.address, never, () => {});
    const [bench, again] = [
      await host.pathOf(join(root, 'bench/deep'), join(root, 'bench')),
      await host.pathOf(join(root, 'bench/deep'), join(root, 'bench')),
    ];
    expect(again).toBe(bench);
    // The second machine is this one, under its own folder.
    expect(bench.startsWith(join(sut.folder, 'tmp'))).toBe(true);
    expect(readFileSync(join(bench, 'run.sh'), 'utf8')).toBe('exit 0');
    expect(existsSync(join(bench, '../../.git'))).toBe(false);
    expect(existsSync(join(bench, '../submodule'))).toBe(true);
    expect(existsSync(join(bench, '../submodule/.git'))).toBe(false);
    expect(existsSync(join(bench, '../../result/large.log'))).toBe(false);
    expect(await host.pathOf('/srv/data', join(root, 'bench'))).toBe('/srv/data');
  });

  test('a home folder is not sent, nor what holds it', async () => {
    await using host = await RemoteHost.open(sut.address, never, () => {});
    await expect(host.pathOf(homedir(), homedir())).rejects.toThrow('that is your whole home folder');
    await expect(host.pathOf('/', '/')).rejects.toThrow('home folder');
  });

  test('a stop is heard while files are sent', async () => {
    const root = join(sut.folder, 'large');
    mkdirSync(root);
    // Without an end, as far as this test goes: 3 GiB of nothing.
    writeFileSync(join(root, 'file'), '');
    truncateSync(join(root, 'file'), 3 * 2 ** 30);
    const stop = new AbortController();
    await using host = await RemoteHost.open(sut.address, stop.signal, () => {});
    const sending = host.pathOf(root, root);
    stop.abort(new Error('enough'));
    await expect(sending).rejects.toThrow('enough');
  });

  test('what tells of the machine is read there', async () => {
    await using host = await RemoteHost.open(sut.address, never, () => {});
    const files = await RemoteFiles.read(host.connection, CONDITIONS);
    expect(files.text('proc/sys/kernel/osrelease')).toBe(readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim());
    expect(files.text('proc/loadavg')).toBeNull();
  });

  test('a connection that is cut ends what runs there, removes its folder, and is told; another one is made', async () => {
    await using host = await RemoteHost.open(sut.address, never, () => {});
    const { folder } = host.connection;
    const alive = join(sut.folder, 'alive');
    const run = {
      argv: [
        'sh',
        '-c',
        'trap "" TERM; (setsid sh -c \'trap "" TERM; while :; do date +%s.%N >"$0"; sleep 0.05; done\' "$0" &); sleep 600',
        alive,
      ],
      cwd: '/',
      env: {},
      timeout: null,
      most: 1000,
      ends_others: true,
    };
    const running = host.connection.ask('run', run, null);
    const lost = running.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    await until(() => existsSync(alive));
    sut.cut();
    expect(await lost).toBeInstanceOf(HostLostError);
    await until(() => !existsSync(folder));
    // The folder goes last, so nothing writes any more.
    const last = readFileSync(alive, 'utf8');
    await host.recover(never);
    await host.clock();
    expect(readFileSync(alive, 'utf8')).toBe(last);
    expect(sut.left()).toHaveLength(1);
  });

  test('what a killed helper left is removed by the next one, with what still runs from it', async () => {
    const first = await Connection.open(sut.address, never);
    const reported = join(sut.folder, 'told');
    const argv = ['sh', '-c', 'echo $PPID $$ >"$0.new"; mv "$0.new" "$0"; exec sleep 600', reported];
    const running = first.ask('run', commandOf(argv), null);
    running.catch(() => {});
    await until(() => existsSync(reported));
    const [helper, workload] = readFileSync(reported, 'utf8').trim().split(' ').map(Number) as [number, number];
    process.kill(helper, 'SIGKILL');
    await first.close();
    expect(existsSync(first.folder)).toBe(true);
    const second = await Connection.open(sut.address, never);
    expect(second.left).toEqual([first.folder]);
    expect(existsSync(first.folder)).toBe(false);
    await until(() => !isRunning(workload));
    await second.close();
    expect(sut.left()).toEqual([]);
  });

  test('a helper that has not heard that its line is gone is ended, with what it runs, before the next one serves', async () => {
    await using host = await RemoteHost.open(sut.address, never, () => {});
    const { folder } = host.connection;
    const reported = join(sut.folder, 'unheard');
    const argv = ['sh', '-c', 'echo $PPID $$ >"$0.new"; mv "$0.new" "$0"; exec sleep 600', reported];
    const running = host.connection.ask('run', commandOf(argv), null);
    running.catch(() => {});
    await until(() => existsSync(reported));
    const [helper, workload] = readFileSync(reported, 'utf8').trim().split(' ').map(Number) as [number, number];
    process.kill(helper, 'SIGSTOP');
    sut.cut();
    await expect(running).rejects.toThrow(HostLostError);
    await host.recover(never);
    await until(() => !isRunning(workload));
    expect(existsSync(folder)).toBe(false);
    expect(sut.left()).toHaveLength(1);
  });

  test('a machine that another experiment measures is refused, and that one goes on', async () => {
    const first = await Connection.open(sut.address, never);
    const another = elsewhere(
      `await Connection.open('${sut.address}', never).catch(({ message }) => console.log(message)); process.exit();`,
    );
    expect(await firstWords(another)).toMatch(
      /^ssh:\/\/sut is already used by another joulediff; .* measures since \d{4}-.* UTC\.$/m,
    );
    const own = await Connection.open(sut.address, never).catch((thrown: Error) => thrown);
    expect(own).toMatchObject({
      message: 'ssh://sut is a machine that this experiment already has under another name.',
    });
    await until(() => sut.left().length === 1);
    await first.ask('clock', {});
    expect(await first.close()).toEqual({ remaining: [], removed: true });
    expect(sut.left()).toEqual([]);
  });

  test('is reserved by the lock that a joulediff there takes: who comes second is told who has it, on either side', async () => {
    const name = basename(sut.folder);
    const what = 'the experiment "sort", measured from here';
    const reserved = await Connection.open(sut.address, never, undefined, { what });
    expect(machineHolder(name)).toMatch(
      /^It is the experiment "sort", measured from here, process \d+ of \S+, since .* UTC\.$/,
    );
    expect(() => lockMachine('another', name)).toThrow(MachineTaken);
    await reserved.close();
    expect(machineHolder(name)).toBeNull();
    {
      // Who measures the machine that joulediff runs on itself has reserved it already.
      using _own = lockMachine('the experiment "own"', name);
      await (await Connection.open(sut.address, never, undefined, { what })).close();
      expect(machineHolder(name)).toMatch(/^It is the experiment "own"/);
    }
    const holder = elsewhere(
      // Kept: what nothing refers to any more is collected, and its lock is gone.
      `globalThis.held = lockMachine('the experiment "first"', '${name}'); console.log('locked'); setInterval(() => {}, 1000);`,
    );
    try {
      await firstWords(holder);
      const refused = await Connection.open(sut.address, never, undefined, { what }).catch((thrown: Error) => thrown);
      expect(refused).toBeInstanceOf(HostTaken);
      expect(refused).toMatchObject({
        message: expect.stringMatching(
          new RegExp(
            `^ssh://sut is already used by .* It is the experiment "first", process ${holder.pid} there of \\S+, since .* UTC\\.$`,
          ),
        ),
      });
      expect(sut.left()).toEqual([]);
      // Whoever only looks reserves nothing.
      await (await Connection.open(sut.address, never)).close();
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
    }
    lockMachine('to clear away after it', name)[Symbol.dispose]();
  });

  test('what a killed joulediff left here of its way to the engine there is removed by the next start', async () => {
    const here = join(sut.folder, 'here');
    mkdirSync(here);
    const script = `await Connection.open('${sut.address}', never, undefined, { withEngine: true }); console.log('open');`;
    const killed = elsewhere(script, { TMPDIR: here });
    await firstWords(killed);
    const before = process.env.TMPDIR;
    process.env.TMPDIR = here;
    try {
      expect(removeLeftFolders(judge())).not.toContainEqual(expect.stringContaining(here));
      expect(readdirSync(here)).toHaveLength(1);
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      expect(removeLeftFolders(judge())).toContainEqual(
        expect.stringMatching(`^Removed the socket of ssh in ${here}/`),
      );
      expect(readdirSync(here)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
    await until(() => sut.left().length === 0);
  });

  test('what can’t be started, and a signal without a name, are told', async () => {
    const connection = await Connection.open(sut.address, never);
    await expect(connection.ask('run', commandOf(['echo', 'a\0b']))).rejects.toThrow(HelperError);
    const { signal } = await connection.ask('run', commandOf(['sh', '-c', 'kill -40 $$']));
    expect(signal).toBe('SIG40');
    await connection.close();
    expect(sut.left()).toEqual([]);
  });

  test.each([
    ['/etc/machine-id', 'Another machine answers as ssh://sut'],
    ['/sys/class/dmi/id/product_uuid', 'The hardware that answers as ssh://sut is not the same as before'],
    ['/proc/sys/kernel/random/boot_id', 'ssh://sut was restarted'],
  ])('a machine whose %s is another one after a lost connection is not measured on', async (path, message) => {
    using other = secondMachine();
    await using host = await RemoteHost.open(other.address, never, () => {});
    other.cut();
    await until(() => host.connection.isLost);
    other.pretend(path, 'of-another');
    await expect(host.recover(never)).rejects.toThrow(message);
  });

  test('an ssh that ends while what it started holds its output open is not waited for', async () => {
    using other = secondMachine();
    writeFileSync(join(other.folder, 'client/ssh'), '#!/bin/sh\nsleep 600 &\necho it broke >&2\nexit 255\n');
    await expect(Connection.open(other.address, never)).rejects.toThrow('could not be reached: it broke.');
  });

  test('a machine that nobody knows is told with what ssh says, and what to try', async () => {
    const error = await Connection.open('ssh://nobody.invalid', never).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^ssh:\/\/nobody\.invalid could not be reached: .*nobody\.invalid/),
      advice: expect.stringContaining('ssh ssh://nobody.invalid true'),
    });
  });

  test('a stop is heard while the connection is made', async () => {
    const stop = new AbortController();
    const opened = Connection.open(sut.address, stop.signal);
    stop.abort(new Error('enough'));
    await expect(opened).rejects.toThrow('enough');
    await until(() => sut.left().length === 0);
  });
});

/** A minute at the most. */
async function until(condition: () => boolean): Promise<void> {
  const lateNs = nowNs() + 60_000_000_000n;
  while (!condition()) {
    if (nowNs() > lateNs) throw new Error('it did not come to that within a minute');
    await new Promise((wake) => setTimeout(wake, 20));
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const commandOf = (argv: readonly string[]) => ({
  argv: [...argv],
  cwd: '/',
  env: {},
  timeout: null,
  most: 1000,
  ends_others: true,
});
