// Class: world, long.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import type { Variant } from '../../src/executors/registry.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { lockMachine } from '../../src/measure/lock.ts';
import { measure } from '../../src/measure/measure.ts';
import { handOverLeft, Vault } from '../../src/measure/vault.ts';
import { makeMarkedFolder } from '../../src/processes/left-folders.ts';
import { ownerToken } from '../../src/processes/owner.ts';
import { runExperiment } from '../../src/run/run.ts';
import { withStore } from '../../src/store/reader.ts';
import { container, native, testImage } from '../executors/bench.ts';
import { start } from '../terminal/program.ts';
import { goodRuns } from './short-experiment.ts';

// Real processes, and the estimate of the processor's use as the meter.

let base: string;
let folder: string;
let outside: string;
let outDir: string;
const given = { ...process.env };

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'joulediff-vault-')));
  for (const name of ['work', 'outside', 'state']) mkdirSync(join(base, name));
  [folder, outside] = [join(base, 'work'), join(base, 'outside')];
  outDir = join(folder, 'out');
  writeFileSync(join(outside, 'script.sh'), 'untouched');
  delete process.env.RUNNER_TEMP;
  Object.assign(process.env, {
    XDG_STATE_HOME: join(base, 'state'),
    JOULEDIFF_LOCK: `joulediff.vault.${randomUUID()}`,
  });
});
afterEach(() => {
  for (const name of ['RUNNER_TEMP', 'GITEA_ACTIONS', 'GITHUB_WORKSPACE', 'XDG_STATE_HOME', 'JOULEDIFF_LOCK']) {
    if (given[name] === undefined) delete process.env[name];
    else process.env[name] = given[name];
  }
  rmSync(base, { recursive: true, force: true });
});

const experiment = (run: string, variants: readonly Variant[] = [native({ run })]): Experiment => ({
  name: 'vault',
  directory: folder,
  variants,
  baseline: variants[0]?.name ?? '',
  repetitions: 2,
  warmup: { runs: 0 },
  restS: 0.2,
  guardS: 0.1,
  batch: 1,
  seed: 4,
  marginPercent: 1,
  meters: ['estimate'],
});

const reported: string[] = [];
const request = (run: string) => ({
  experiment: experiment(run),
  outDir,
  resume: false,
  signal: new AbortController().signal,
  progress: { note: (line: string) => reported.push(line), warn() {}, status() {}, end() {} },
});
beforeEach(() => {
  reported.splice(0);
});

const idIn = (path: string) => withStore(join(path, 'experiment.db'), (reader) => reader.experiment().id);
/** What a killed process left: this one's number began at another time. */
const leftBehind = (experimentId: string, out: string): string => {
  const states = join(base, 'state', 'joulediff');
  mkdirSync(states, { recursive: true, mode: 0o700 });
  return makeMarkedFolder(states, 'joulediff-measuring-', experimentId, { owner: `${ownerToken()}0`, out });
};
const vaults = () =>
  readdirSync(join(base, 'state', 'joulediff')).filter((name) => name.startsWith('joulediff-measuring-'));

describe('while an experiment runs', () => {
  /** What a workload does that sees the folder of the experiment under `work`. */
  const plant = (work: string) =>
    [
      `mkdir -p ${work}/out; cd ${work}/out; ls -A > ../seen`,
      ...['experiment.db', 'comment.md'].map((name) => `ln -sfn ${join(outside, 'script.sh')} ${name}`),
      ...['charts', 'logs'].map((name) => `ln -sfn ${outside} ${name}`),
      'echo printed; sleep 0.15',
    ].join('; ');

  it.each<[string, () => Promise<Variant>]>([
    ['its workload', async () => native({ run: plant(folder) })],
    [
      'its container, which the workspace is mounted in,',
      async () => {
        const image = await testImage('joulediff-test:busybox');
        return container(image, { run: plant('/work') }, { volumes: [`${folder}:/work`] });
      },
    ],
  ])(
    'what %s lays in the output folder leads no file elsewhere, and changes nothing of the result',
    async (_, make) => {
      const variant = await make();
      const result = await runExperiment({ ...request(''), experiment: experiment('', [variant]) });
      expect(result).toMatchObject({ error: null, complete: true });
      expect(readdirSync(outside)).toEqual(['script.sh']);
      expect(readFileSync(join(outside, 'script.sh'), 'utf8')).toBe('untouched');
      // The second run found what the first had laid, and nothing of ours.
      expect(readFileSync(join(folder, 'seen'), 'utf8').trim().split('\n').sort()).toEqual([
        'charts',
        'comment.md',
        'experiment.db',
        'logs',
      ]);
      for (const name of ['experiment.db', 'comment.md', 'logs', 'charts', `logs/0001-${variant.name}.log`]) {
        expect([name, realpathSync(join(outDir, name))]).toEqual([name, join(outDir, name)]);
      }
      expect(readFileSync(join(outDir, 'logs', `0002-${variant.name}.log`), 'utf8')).toBe('printed\n');
      expect(withStore(join(outDir, 'experiment.db'), (reader) => reader.runs())).toHaveLength(2);
      expect(vaults()).toEqual([]);
    },
    120_000,
  );

  it('its database is in a private folder, also when the workload removes the output folder', async () => {
    const seen = join(base, 'seen');
    await measure(
      request(`rm -rf ${outDir}; stat -c '%a %n' ${join(base, 'state')}/joulediff/joulediff-* > ${seen}; sleep 0.15`),
    );
    expect(readFileSync(seen, 'utf8')).toMatch(/^700 \S+\/joulediff-measuring-\w{6}\n$/);
    expect(readdirSync(outDir).sort()).toEqual(['experiment.db', 'logs']);
  });

  it('another database that is laid there ends neither as its result nor lost', async () => {
    await measure({ ...request('sleep 0.15'), outDir: join(base, 'other') });
    await measure(request(`mkdir -p ${outDir}; cp ${join(base, 'other', 'experiment.db')} ${outDir}; sleep 0.15`));
    expect(idIn(`${outDir}.1`)).toBe(idIn(join(base, 'other')));
    expect(idIn(outDir)).not.toBe(idIn(`${outDir}.1`));
  });

  it('the folder of results that became a link is not followed, and the result is kept', async () => {
    await expect(measure(request(`rm -rf ${outDir}; ln -s ${outside} ${outDir}; sleep 0.15`))).rejects.toMatchObject({
      message: expect.stringContaining(`The result can't be put into ${outDir}`),
      advice: expect.stringContaining('It is kept in '),
    });
    expect(readdirSync(outside)).toEqual(['script.sh']);
    const [vault = ''] = vaults();
    expect(withStore(join(base, 'state', 'joulediff', vault, 'experiment.db'), (reader) => reader.runs())).toHaveLength(
      2,
    );
  });
});

it('a folder that can’t be written is told of before anything is measured', async () => {
  const ran = join(folder, 'ran');
  await expect(measure({ ...request(`touch ${ran}`), outDir: '/sys/out' })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining("The output folder /sys/out can't be written"),
  });
  expect([existsSync(ran), vaults()]).toEqual([false, []]);
});

describe('an earlier result', () => {
  it('is moved aside, or removed once the new one is there; no report of another is written over it', async () => {
    await measure(request('sleep 0.15'));
    const first = idIn(outDir);
    await measure(request('sleep 0.15'));
    const second = idIn(outDir);
    expect(reported).toContain(`The earlier result in ${outDir} was moved to ${outDir}.1.`);
    expect(idIn(`${outDir}.1`)).toBe(first);
    const before = readdirSync(outDir);
    const refused = await start(['report', join(`${outDir}.1`, 'experiment.db'), '--out', outDir]).ended;
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('the result of another experiment') });
    expect(readdirSync(outDir)).toEqual(before);
    await measure({ ...request('sleep 0.15'), overwrite: true });
    expect([first, second]).not.toContain(idIn(outDir));
    expect(readdirSync(folder).sort()).toEqual(['out', 'out.1']);
    expect(idIn(`${outDir}.1`)).toBe(first);
  });
});

describe('an unfinished experiment that waits for the machine to be continued', () => {
  /** Continues the experiment, until this many of its three runs are done. */
  async function go(until: number, onMeasured = async () => {}, note: (line: string) => void = () => {}) {
    const run = `echo . >> ${join(folder, 'ran')}; sleep 0.15`;
    const { experiment: short, progress, ...given } = request(run);
    const own = new AbortController();
    const status = ({ done }: { done: number }): void => {
      if (done >= until) own.abort(new Error('stopped'));
    };
    await measure({
      ...given,
      experiment: { ...short, repetitions: 3, waitForMachineS: 60 },
      progress: { ...progress, status, note },
      signal: own.signal,
      resume: true,
      onMeasured,
    }).catch((thrown: Error) => expect(thrown.message).toBe('stopped'));
  }

  const expectEachOnce = () => {
    expect(readFileSync(join(folder, 'ran'), 'utf8')).toBe('.\n.\n.\n');
    expect(goodRuns(outDir)).toEqual([1, 2, 3]);
    expect(readdirSync(folder).sort()).toEqual(['out', 'ran']);
    expect(vaults()).toEqual([]);
  };

  it('goes on from what another puts there, which writes its report first', async () => {
    await go(1);
    let second = Promise.resolve();
    await go(2, async () => {
      second = go(3);
      // It looks for the machine each second.
      await new Promise((resolve) => setTimeout(resolve, 2500));
    });
    await second;
    expectEachOnce();
  });

  it('goes on from what another puts there that began it', async () => {
    let second = Promise.resolve();
    await go(2, async () => {
      second = go(3);
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
    await second;
    expectEachOnce();
  });

  it('goes on from what another had measured that was killed meanwhile', async () => {
    await go(1);
    const earlier = join(base, 'earlier.db');
    copyFileSync(join(outDir, 'experiment.db'), earlier);
    await go(2);
    const left = leftBehind(idIn(outDir), outDir);
    renameSync(join(outDir, 'experiment.db'), join(left, 'experiment.db'));
    copyFileSync(earlier, join(outDir, 'experiment.db'));
    renameSync(left, join(base, 'hidden'));
    const machine = lockMachine('the experiment that is killed');
    const second = go(3, undefined, (line) => {
      if (!line.startsWith('Another experiment holds')) return;
      renameSync(join(base, 'hidden'), left);
      machine[Symbol.dispose]();
    });
    await second;
    expectEachOnce();
  });
});

describe('an experiment whose process was killed', () => {
  const file = () => join(folder, 'joulediff.yml');
  const env = () => ({ XDG_STATE_HOME: join(base, 'state'), JOULEDIFF_LOCK: process.env.JOULEDIFF_LOCK });

  /** Killed in the second run, which is told by the workload itself, and waits there until the process is gone. */
  async function killed(keys: object = {}, variables: NodeJS.ProcessEnv = {}): Promise<void> {
    const [ran, go] = [join(folder, 'ran'), join(folder, 'go')];
    const given = {
      workload: {
        run: `echo "run $LICENSE"; echo "$JOULEDIFF_RUN" >> ${ran}; while grep -qx 2 ${ran} && test ! -e ${go}; do sleep 0.1; done`,
      },
      variants: { a: {}, b: {} },
      repetitions: 2,
      warmup: { runs: 0 },
      rest: '200ms',
      guard: '50ms',
      meter: 'estimate',
      seed: 4,
      ...keys,
    };
    writeFileSync(file(), JSON.stringify(given));
    const program = start(['measure', file(), '--out', outDir], { ...env(), ...variables });
    while (!existsSync(ran) || !/^2$/m.test(readFileSync(ran, 'utf8'))) {
      if (program.child.exitCode !== null) throw new Error((await program.ended).stderr);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    program.child.kill('SIGKILL');
    await program.ended;
    writeFileSync(go, '');
  }

  it('is where it would have been as soon as it is asked for, and is gone on with', async () => {
    await killed();
    expect(readdirSync(outDir)).toEqual([]);
    const analyzed = await start(['analyze', join(outDir, 'experiment.db'), '--json'], env()).ended;
    expect(JSON.parse(analyzed.stdout).experiment).toMatchObject({ complete: false });
    const id = idIn(outDir);
    const resumed = await start(['measure', file(), '--out', outDir, '--resume'], env()).ended;
    expect({ ...resumed, stderr: '' }).toEqual({ code: 0, stdout: `${join(outDir, 'experiment.db')}\n`, stderr: '' });
    expect(idIn(outDir)).toBe(id);
    const runs = withStore(join(outDir, 'experiment.db'), (reader) => reader.runs());
    expect(runs.filter(({ status }) => status === 'ok').map(({ planned }) => planned)).toEqual([1, 2, 3, 4]);
    expect(vaults()).toEqual([]);
  });

  const SECRET = { LICENSE: 'L', API_TOKEN: 'T' };
  it.each<[string, object, string]>([
    ['pass-env names', { 'pass-env': ['LICENSE'] }, 'run **************\n'],
    ['is in an env as a credential', { variants: { a: { env: SECRET }, b: { env: SECRET } } }, 'run L\n'],
  ])('shows no value that %s: output that is not masked yet is left out', async (_, keys, printed) => {
    await killed({ ...keys, output: 'file' }, { LICENSE: 'a1b2-c3d4-e5f6' });
    const { stdout } = await start(['clean'], env()).ended;
    expect(stdout).toContain('Output that was cut short is left out, since it may hold secret values.');
    const logs = join(outDir, 'logs');
    expect(readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'))).toEqual([printed]);
  });

  it('is gone on with once, by two that are started at the same moment and wait for the machine', async () => {
    await killed();
    const given = { ...JSON.parse(readFileSync(file(), 'utf8')), 'on-busy': { wait: '1m' } };
    writeFileSync(file(), JSON.stringify(given));
    const words = ['measure', file(), '--out', outDir, '--resume'];
    const ended = await Promise.all([start(words, env()).ended, start(words, env()).ended]);
    const done = { code: 0, stdout: `${join(outDir, 'experiment.db')}\n`, stderr: '' };
    // What one that failed says is seen, too.
    expect(ended.map((one) => (one.code === 0 ? { ...one, stderr: '' } : one))).toEqual([done, done]);
    expect(ended.map(({ stderr }) => stderr).join()).toContain('Nothing is left to measure');
    const runs = withStore(join(outDir, 'experiment.db'), (reader) => reader.runs());
    expect(runs.filter(({ status }) => status === 'ok').map(({ planned }) => planned)).toEqual([1, 2, 3, 4]);
    expect(vaults()).toEqual([]);
  });

  it('outlives a job of Gitea’s runner, which removes the workspace and its folder for passing files', async () => {
    const temp = join(base, 'temp');
    mkdirSync(temp);
    Object.assign(process.env, { GITEA_ACTIONS: 'true', GITHUB_WORKSPACE: folder, RUNNER_TEMP: temp });
    await killed();
    const [vault = ''] = vaults();
    const kept = join(base, 'state', 'joulediff', vault);
    const inJob = handOverLeft({ experimentId: idIn(kept) });
    const reported =
      /^What was measured before a job was ended is kept on this machine, in .*joulediff-measuring-\w+ until/;
    expect(inJob).toEqual([expect.stringMatching(reported)]);
    for (const path of [folder, temp]) rmSync(path, { recursive: true });
    // Once: each cancelled job would put a line into the log of every later one.
    expect(handOverLeft({ experimentId: idIn(kept) })).toEqual([]);
    for (const name of ['GITEA_ACTIONS', 'GITHUB_WORKSPACE', 'RUNNER_TEMP']) delete process.env[name];
    expect(handOverLeft({ experimentId: idIn(kept) }).join()).toContain(`is kept in ${kept} until`);
    expect(withStore(join(kept, 'experiment.db'), (reader) => reader.runs())).toHaveLength(1);
  });

  it('leaves nothing behind where it was killed in the middle of making its database', async () => {
    const experimentId = randomUUID();
    const left = leftBehind(experimentId, outDir);
    // So little memory that half of the transaction is in the file already: a journal beside it takes it back.
    const script = `
      const db = new (require('better-sqlite3'))(${JSON.stringify(join(left, 'experiment.db'))});
      db.pragma('cache_size = 1');
      db.exec('BEGIN; CREATE TABLE half (made)');
      for (let i = 0; i < 200; i++) db.exec('INSERT INTO half VALUES (zeroblob(4000))');
      process.kill(process.pid, 'SIGKILL');
    `;
    spawnSync(process.execPath, ['-e', script], { cwd: process.cwd() });
    expect(readdirSync(left)).toContain('experiment.db-journal');
    // Other tests' killed experiments may be there too.
    expect(handOverLeft({ experimentId }).filter((line) => line.includes(base))).toEqual([]);
    expect(vaults()).toEqual([]);
  });

  it('does not replace what has come further since', async () => {
    await measure(request('sleep 0.1'));
    const id = idIn(outDir);
    const left = leftBehind(id, outDir);
    copyFileSync(join(outDir, 'experiment.db'), join(left, 'experiment.db'));
    const db = new Database(join(left, 'experiment.db'));
    const about = `SELECT name FROM sqlite_master m, pragma_foreign_key_list(m.name) WHERE "table" = 'run'`;
    const tables = db.prepare(about).pluck().all() as string[];
    for (const table of [...tables, 'run']) db.exec(`DELETE FROM ${table} WHERE run = 2`);
    db.close();
    expect(handOverLeft({ experimentId: id })).toContainEqual(expect.stringContaining(`is in ${outDir}.1 now`));
    const runsIn = (path: string) => withStore(join(path, 'experiment.db'), (reader) => reader.runs().length);
    expect([runsIn(outDir), runsIn(`${outDir}.1`)]).toEqual([2, 1]);
  });

  it('whose folder is gone is kept until that is back or a month has passed, where it holds a run', async () => {
    await measure(request('sleep 0.1'));
    const id = idIn(outDir);
    const gone = join(base, 'gone');
    let left = '';
    const lay = (): string => {
      left = leftBehind(id, join(gone, 'out'));
      copyFileSync(join(outDir, 'experiment.db'), join(left, 'experiment.db'));
      return join(left, 'experiment.db');
    };
    const reported = () => handOverLeft({ experimentId: id }).filter((line) => line.includes(base));
    lay();
    expect(reported()).toEqual([
      expect.stringMatching(/is kept in .*-measuring-\w+ until \d{4}-\d\d-\d\d: there is no folder .*gone any/),
    ]);
    expect(reported()).toHaveLength(1);
    mkdirSync(gone);
    expect(reported()).toEqual([expect.stringContaining(`is in ${join(gone, 'out')} now`)]);
    expect(idIn(join(gone, 'out'))).toBe(id);
    rmSync(gone, { recursive: true });
    const monthAgo = new Date(Date.now() - 31 * 86_400_000);
    utimesSync(lay(), monthAgo, monthAgo);
    expect(reported()).toEqual([
      expect.stringMatching(/^Removed .*-measuring-\w+: .* the folder .*gone never came back\.$/),
    ]);
    // What another version made, or a disk damaged, isn't told for ever either.
    const isReported =
      /is kept in .*-measuring-\w+ until \d{4}-\d\d-\d\d: .*[^.]\. When you don't need it, remove that folder\.$/;
    for (const folder of ['gone', 'there']) {
      if (folder === 'there') mkdirSync(gone);
      writeFileSync(lay(), 'damaged');
      expect(reported()).toEqual([expect.stringMatching(isReported)]);
      utimesSync(join(left, 'experiment.db'), monthAgo, monthAgo);
      expect(reported()).toEqual([expect.stringMatching(/^Removed /)]);
      expect(existsSync(left)).toBe(false);
    }
    rmSync(gone, { recursive: true });
    const db = new Database(lay());
    db.exec('PRAGMA foreign_keys = OFF; DELETE FROM run');
    const about = `SELECT name FROM sqlite_master m, pragma_foreign_key_list(m.name) WHERE "table" = 'run'`;
    for (const table of db.prepare(about).pluck().all() as string[]) db.exec(`DELETE FROM ${table}`);
    db.close();
    expect(reported()).toEqual([]);
    expect(vaults()).toEqual([]);
  });

  it('keeps the logs that could not follow their database while its folder is not there', async () => {
    await measure(request('sleep 0.1'));
    const id = idIn(outDir);
    const left = leftBehind(id, outDir);
    mkdirSync(join(left, 'logs'), { recursive: true });
    writeFileSync(join(left, 'logs', '0003-native.log'), 'kept');
    renameSync(outDir, `${outDir}-unmounted`);
    const reported = () => handOverLeft({ experimentId: id }).filter((line) => line.includes(base));
    expect(reported()).toEqual([expect.stringMatching(/^The logs of an interrupted joulediff are kept in .* until /)]);
    renameSync(`${outDir}-unmounted`, outDir);
    expect(reported()).toEqual([]);
    expect(readFileSync(join(outDir, 'logs', '0003-native.log'), 'utf8')).toBe('kept');
    expect(vaults()).toEqual([]);
  });

  it('is put beside what lies there by now', async () => {
    await killed();
    writeFileSync(join(outDir, 'thesis.txt'), 'years of work');
    const ended = await start(['measure', file(), '--out', outDir], env()).ended;
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(`What an interrupted joulediff measured is in ${outDir}.1 now`);
    expect(readdirSync(outDir)).toEqual(['thesis.txt']);
    expect(withStore(join(`${outDir}.1`, 'experiment.db'), (reader) => reader.runs())).toHaveLength(1);
  });
});

describe('a folder that is mounted into a container', () => {
  const vault = (...volumes: string[]) => {
    const made = experiment('', [native({ run: 'true' }), container('image', {}, { volumes })]);
    return Vault.make({ experimentId: 'x', experiment: made, outDir });
  };

  it('never holds the private folder', () => {
    symlinkSync(base, join(outside, 'link'));
    for (const volume of [`${base}:/data`, `${join(outside, 'link')}:/data:ro`]) {
      const made = vault(volume);
      expect(dirname(made.path)).toBe('/var/tmp');
      expect(statSync(made.path).mode & 0o777).toBe(0o700);
      made.remove();
    }
    const usual = vault(`${folder}:/data`);
    expect(dirname(usual.path)).toBe(join(base, 'state', 'joulediff'));
    usual.remove();
  });

  it('is refused where it would hold every place for it', () => {
    expect(() => vault('/:/host')).toThrow('The volume / would put the experiment’s own database within reach');
    expect(existsSync(join(base, 'state', 'joulediff'))).toBe(false);
  });
});
