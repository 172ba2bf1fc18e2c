// Class: world, long.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writePassport } from '../../../src/meters/passport.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { passport } from '../../findings/passport.ts';
import { PowercapTree } from '../../meters/rapl/powercap-tree.ts';
import { start } from '../program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-plan-'));
  writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What is seen beforehand of an experiment with this variant beside the host. */
async function seen(variant: object, words: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const experiment = { workload: { run: 'true' }, variants: { native: {}, place: variant }, meter: 'estimate' };
  writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify(experiment));
  const { code, stdout, stderr } = await start(['plan', ...words], env, folder).ended;
  return { code, stderr, lines: stdout.split('\n').filter((line) => /^(ok|warn|fail) /.test(line)), stdout };
}

describe('joulediff plan', () => {
  it('says what can be known before: meter, places, disk; and leaves nothing', async () => {
    const { code, lines } = await seen({ build: {} });
    expect(code).toBe(0);
    expect(lines).toEqual([
      'warn  meter: estimate answers, but its numbers are modelled, not measured',
      `ok    variant place: its image is built from ${folder}/Dockerfile`,
      expect.stringMatching(/^ok {4}disk: \d+\.\d GiB are free in /),
    ]);
    expect(readdirSync(folder).sort()).toEqual(['Dockerfile', 'joulediff.yml']);
  });

  it.each([
    [
      'estimate,rapl?root=ROOT',
      'estimate and rapl at ROOT answer, but their numbers are modelled and emulated, not measured',
    ],
    [
      'command:ROOT/mine,estimate',
      'command at ROOT/mine and estimate answer, but the numbers of estimate are modelled, not measured',
    ],
  ])('says whose numbers are not measured: %s', async (meters, reported) => {
    const tree = new PowercapTree().zone('intel-rapl:0', 'package-0');
    const mine = '#!/bin/sh\nwhile echo \'{"power_w": 40}\'; do sleep 0.1; done\n';
    writeFileSync(join(tree.root, 'mine'), mine, { mode: 0o755 });
    try {
      const { lines } = await seen({}, ['--meter', meters.replace('ROOT', tree.root)]);
      expect(lines[0]).toBe(`warn  meter: ${reported.replace('ROOT', tree.root)}`);
    } finally {
      tree.remove();
    }
  });

  it('says that a command is missing which the experiment would begin with', async () => {
    const run = './bench.sh -n 3';
    const { code, lines } = await seen({ run });
    expect(code).toBe(2);
    expect(lines.slice(1, -1)).toEqual([
      'fail  variant place: The run command of variant "place" could not be started: "./bench.sh" was not found, or the interpreter in its first line wasn\'t',
    ]);
    const made = await seen({ run, prepare: 'cp /bin/true bench.sh' });
    expect(made.lines.join('\n')).not.toContain('fail');
  });

  it('names the machine that is measured, and refuses a meter of this one for it', async () => {
    const experiment = { workload: { run: 'true' }, variants: { a: {}, b: {} }, host: 'ssh://sut', meter: 'estimate' };
    writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify(experiment));
    const { code, stdout } = await start(['plan'], {}, folder).ended;
    expect(code).toBe(2);
    expect(stdout).toContain('Measured: ssh://sut, from here, where the meter is.');
    expect(stdout).toContain('fail  meter: estimate measures this machine, but the workload runs on ssh://sut');
  });

  it.each<[string, object, readonly string[], NodeJS.ProcessEnv, number, string]>([
    ['no such meter', {}, ['--meter', 'watts-up-pro:/dev/nowhere'], {}, 3, 'fail  meter: '],
    [
      'a guard too short for the meter',
      {},
      ['--meter', 'watts-up-pro:/dev/nowhere', '--set', 'guard=1s'],
      {},
      3,
      'fail  meter: ',
    ],
    [
      'no Dockerfile',
      { build: { dockerfile: 'Elsewhere' } },
      [],
      {},
      2,
      `fail  variant place: The Dockerfile of variant "place"`,
    ],
    [
      'no image',
      { image: 'joulediff-nosuch', pull: 'never' },
      [],
      {},
      3,
      `fail  variant place: The image "joulediff-nosuch" isn't on this machine`,
    ],
    [
      'no engine',
      { image: 'x' },
      [],
      { DOCKER_HOST: 'unix:///nowhere' },
      3,
      `fail  variant place: Docker's engine isn't running`,
    ],
  ])('says that there is %s, with the exit code that it would end with', async (_, variant, words, env, code, line) => {
    const found = await seen(variant, words, env);
    expect(found).toMatchObject({ code, stderr: '' });
    expect(found.lines.find((each) => each.startsWith('fail'))).toContain(line);
  });

  it('counts the time of a workload that is idle, and says first if it takes longer than a day', async () => {
    const idle = { workload: { run: { idle: '10m' } }, variants: { a: {}, b: {} }, meter: 'estimate', rest: '1m' };
    const printed = async (more: object): Promise<string> => {
      writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify({ ...idle, repetitions: 10, ...more }));
      return (await start(['plan'], {}, folder).ended).stdout;
    };
    // 24 runs with those that warm up, and a rest at the end.
    const plain = await printed({});
    expect(plain).toContain('The pauses take 26 min 12 s and the idle workload 4 h: 4 h 26 min in all.');
    expect(await printed({ repetitions: 80 })).toMatch(
      /^This takes longer than a day: the pauses and the idle time of 164 runs alone take \d+ h \d+ min\./,
    );
    // Nothing is prepared, and no command could take too long.
    expect(plain).not.toMatch(/prepare|cleanup|timeout/);
    expect(await printed({ workload: { run: { idle: '10m' }, prepare: 'true', cleanup: 'true' } })).toMatch(
      /^Each run: prepare, 60 s of rest, .* guard, cleanup\.\nA command may take 1 h/m,
    );
    const stopped = { a: { engine: { state: 'stopped', stop: 'true', start: 'true' } }, b: {} };
    expect(await printed({ allow: 'engine-stop', noise: 'inline', variants: stopped, baseline: 'a' })).toContain(
      "Docker's engine is stopped before each run of a, before its rest, and started again after its guard.",
    );
  });

  it.each([
    [18, /where the machine settles at once, about 7 min 50 s as in the meter’s check of 2026-11-03 \(/],
    [null, /never does; in the meter’s check of 2026-11-03 it had not settled after 29 s\)/],
  ])('tells how long the rests will take, from the check of the meter (settled after %s s)', async (after, reported) => {
    const tree = new PowercapTree().zone('intel-rapl:0', 'package-0');
    const name = `rapl?root=${tree.root}`;
    const before = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = tree.root;
    try {
      const { meters } = await openMeters([name]);
      await meters[0]!.stop();
      const settling = { after_s: after, watched_s: 29 };
      await writePassport(meters[0]!.info, {
        ...passport,
        host: hostname(),
        guard_needed_s: null,
        latency: null,
        settling,
      });
      const words = ['--meter', name, '--repetitions', '10'];
      const { stdout } = await seen({}, words, { XDG_STATE_HOME: tree.root });
      expect(stdout).toMatch(reported);
      const json = JSON.parse((await seen({}, [...words, '--json'], { XDG_STATE_HOME: tree.root })).stdout);
      expect(json.pauses_s.expected).toEqual(after === null ? null : expect.closeTo(24 * 18.8 + 18.6, 0));
    } finally {
      if (before === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = before;
      tree.remove();
    }
  });

  it('counts the extra runs that are asked for, in the list and in the time', async () => {
    const of = {
      workload: { run: { idle: '1m' } },
      variants: { a: {}, b: {} },
      meter: 'estimate',
      rest: '10s',
      guard: '2s',
    };
    const printed = async (more: object): Promise<string> => {
      const file = { ...of, repetitions: 2, warmup: { runs: 0 }, seed: 3, ...more };
      writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify(file));
      return (await start(['plan', '--offline', '--order'], {}, folder).ended).stdout;
    };
    // 4 runs with 12 s each and 10 s at the end, then 10 with 1 s each.
    const always = await printed({ explain: 'always' });
    expect(always).toContain('10 extra runs follow after the blocks');
    expect(always).toContain('The pauses take 1 min 8 s and the idle workload 14 min: 15 min 8 s in all.');
    expect(always.match(/^observed \d {1,2}[ab] · [ab]$/gm)).toHaveLength(5);
    const traced = await printed({ explain: { when: 'always', trace: ['strace', 'uftrace'] } });
    expect(traced).toContain('22 extra runs follow');
    expect(traced).toMatch(/^6 of them are under strace, .*\n6 of them are under uftrace, /m);
    expect(traced.match(/^uftraced \d [ab] · [ab]$/gm)).toHaveLength(3);
    const onChange = await printed({ explain: 'on-change' });
    expect(onChange).toContain('If a change is shown, up to 10 extra runs follow');
    expect(onChange).toContain('The pauses take at most 1 min 8 s');
    const profiled = { explain: 'always', services: { cache: { run: 'redis-server', profile: 'redis' } } };
    expect(await printed(profiled)).toContain(
      'In these runs alone, the service "cache" is looked at by redis\'s own profiler.',
    );
    // The limit is one of the blocks.
    const limited = { within: '10min' };
    expect(await printed({ explain: 'always', repetitions: limited })).toContain('The blocks take 10 min or less;');
    const never = await printed({});
    expect(never).toContain('The pauses take 58 s and the idle workload 4 min');
    expect(never).not.toMatch(/extra|observed/);
  });

  it('says that the engine has no such runtime', async () => {
    const { code, lines } = await seen({ image: 'x', runtime: 'nowhere' });
    expect(code).toBe(3);
    expect(lines.join('\n')).toContain('fail  variant place: The engine has no runtime "nowhere"');
  });

  it('says which image will be pulled', async () => {
    const { code, lines } = await seen({ image: 'joulediff-nosuch' });
    expect({ code, line: lines[1] }).toEqual({
      code: 0,
      line: "warn  variant place: the image joulediff-nosuch isn't on this machine and will be pulled",
    });
  });

  it('looks at nothing where it is asked not to', async () => {
    const { code, lines } = await seen({ image: 'x' }, ['--offline'], { DOCKER_HOST: 'unix:///nowhere' });
    expect({ code, lines }).toEqual({ code: 0, lines: [] });
  });

  it.each([
    ['--offline'],
    [],
  ])('says what pauses it assumes for a meter that it could not read (%s)', async (...more) => {
    const { stdout } = await seen({}, [...more, '--meter', 'rapl?root=/nowhere']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'No meter was read, so one with a reading each second is assumed.',
    );
  });

  it('tells the smallest change of meters that nobody has yet, and what they can’t see', async () => {
    const words = ['--offline', '--repetitions', '30', '--meter', 'shelly:plug.lan,rapl'];
    const own = await seen({}, words);
    const all = await seen({}, [...words, '--meters']);
    expect(own).toMatchObject({ code: 0, stderr: '' });
    expect(own.stdout).toMatch(/^ {2}runs of +10 s +30 s +120 s\n {2}shelly +0\.\d+ % .*\n {2}rapl /m);
    expect(own.stdout).toContain('rapl can’t see disks');
    expect(all.stdout).toMatch(/^ {2}watts-up-pro .*\n(?:.*\n)+ {2}rapl /m);
    // A model sees no change at all.
    expect(all.stdout).not.toMatch(/^ {2}estimate/m);
  });

  it('says which services start where and in which order, and who listens on their port', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const experiment = {
      workload: { run: 'sh load.sh', place: 'host' },
      services: {
        database: { run: './database.sh', place: 'host', lifetime: 'experiment', ready: { log: 'ready' } },
        server: { run: './server.sh', ready: { tcp: port, within: 5 }, stop: { signal: 'SIGKILL' } },
      },
      hooks: { 'before-all': './set-up.sh' },
      variants: { native: {}, place: { user: 'root' } },
      meter: 'estimate',
    };
    writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify(experiment));
    const { code, stdout } = await start(['plan'], {}, folder).ended;
    server.close();
    expect(code).toBe(3);
    expect(stdout).toContain(
      'Each run: the services’ start, 0.5 s of rest, the workload (the measurement window), 0.2 s of guard, the services’ end.',
    );
    expect(stdout).toContain(
      [
        'Services, in this order (they end in reverse), and then the client on the host:',
        '  database: on the host, once, before the first run; ready when it prints "ready", within 30 s; ended by SIGTERM, killed after 10 s',
        `  server: in the variant's own place, for every run; ready when something listens on port ${port}, within 5 s; killed`,
        'Hook before-all, on the host, 10 min at most: ./set-up.sh',
        'A command may take 1 h (timeout); then it is ended, and its run has failed.',
      ].join('\n'),
    );
    expect(stdout).toMatch(
      new RegExp(
        `^fail {2}ports: The service "server" was not started: port ${port} is taken already: \\S+, process ${process.pid}, listens there$`,
        'm',
      ),
    );
  });

  it('says first that a matrix takes longer than a day, and lists the first of its blocks', async () => {
    const levels = (letter: string) => Array.from({ length: 20 }, (_, i) => `${letter}${i}`);
    const matrix = { image: levels('i'), network: levels('n') };
    writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify({ name: 'many', workload: { run: 'true' }, matrix }));
    const { code, stdout } = await start(['plan', '--offline', '--order'], {}, folder).ended;
    expect(code).toBe(0);
    const words = stdout.replaceAll(/\s+/g, ' ');
    expect(words).toMatch(
      /^This takes longer than a day: the pauses of 12,800 runs alone take 35 h 33 min\. Fewer variants, fewer repetitions or a shorter rest take less\. many: 12,800 runs/,
    );
    expect(words).toContain('every block holds all 400 combinations.');
    expect(words).toContain('… and 29 more blocks, each in an order of its own');
    expect(stdout.match(/^(warm-up|block) /gm)).toHaveLength(3);
    const short = await start(['plan', '--offline', '--set', 'rest=0', '--set', 'guard=0'], {}, folder).ended;
    expect(short.stdout).toMatch(/^many: /);
  });
});
