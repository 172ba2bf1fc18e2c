// Class: world.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { itAsRoot } from '../setup/as-root.ts';

const SETUP = fileURLToPath(new URL('../../runner-setup/', import.meta.url));
const UNITS = readdirSync(join(SETUP, 'systemd'));
const isThere = spawnSync('systemd-analyze', ['--version']).status === 0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-units-'));
  cpSync(join(SETUP, 'hooks'), join(folder, 'hooks'), { recursive: true });
  for (const name of ['github-runner.sh', 'job-home.sh']) copyFileSync(join(SETUP, name), join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What systemd says of a unit as install.sh writes it, where the forge's own program is there. */
function verify(name: string, change = (text: string) => text) {
  const text = readFileSync(join(SETUP, 'systemd', name), 'utf8');
  const filled = text.replaceAll('@RUNNER@', 'daemon').replaceAll(/@(?:JOBS|STATE|PREFIX)@/g, folder);
  const path = join(folder, name);
  writeFileSync(path, change(filled.replace(/^(ExecStart=)\/usr\/local\/bin\/\S+/m, '$1/bin/true')));
  return { path, ...analyze('verify', '--man=no', path) };
}

function analyze(...words: string[]): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

describe('the units of the runners', () => {
  if (!isThere) {
    it.skip('are not verified: systemd-analyze is not there (apt-get install systemd)', () => undefined);
    return;
  }

  it.each(UNITS)('%s is what systemd understands', (name) => {
    expect(verify(name)).toMatchObject({ status: 0, said: '' });
    expect(verify(name, (text) => text.replace('KillMode=', 'KilMode=')).said).toContain('KilMode');
    expect(verify(name, (text) => text.replace(/(Exec\w+=\+?\/\S+)\.sh/, '$1.nosuch'))).toMatchObject({ status: 1 });
  });

  it.each([
    ['forgejo', 'forgejo-runner', 'forgejo.token'],
    ['gitea', 'gitea-runner', 'gitea.runner'],
    ['github', 'actions-runner/run.sh', 'github.token'],
  ])('the unit of %s waits for its program and its registration', (forge, program, registration) => {
    const here = mkdtempSync(join(folder, 'conditions-'));
    const text = readFileSync(join(SETUP, 'systemd', `joulediff-${forge}-runner.service`), 'utf8');
    const conditions = [...text.matchAll(/^(Condition\w+=)(?:@JOBS@|\/usr\/local\/bin|\/etc\/joulediff)(.*)$/gm)];
    const starts = () =>
      analyze('condition', ...conditions.map(([, key, path]) => `${key}${here}${path}`)).status === 0;
    const files = [program, registration].map((name) => join(here, name));
    for (const path of files) {
      expect(starts()).toBe(false);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
    }
    expect(starts()).toBe(true);
    rmSync(files[0] ?? '');
    expect(starts()).toBe(false);
  });

  it.each(UNITS)('%s is exposed below 5, and so would fail without what it gives up', (name) => {
    const security = (path: string) =>
      analyze('security', '--offline=true', '--threshold=50', '--no-pager', path).status;
    expect(security(verify(name).path)).toBe(0);
    expect(security(verify(name, (text) => text.replace(/^SystemCall.*\n/gm, '')).path)).toBe(1);
  });
});

itAsRoot('each job has a home of its own, in which it can change nothing that the next one finds', () => {
  const jobs = mkdtempSync(join(tmpdir(), 'joulediff-jobs-'));
  const as = (...words: string[]) =>
    spawnSync('setpriv', ['--reuid=1', '--regid=1', '--clear-groups', ...words], { encoding: 'utf8' });
  const before = () =>
    spawnSync('sh', [join(SETUP, 'job-home.sh')], {
      encoding: 'utf8',
      env: { RUNNER_USER: 'daemon', JOULEDIFF_JOBS: jobs },
    });
  try {
    chmodSync(jobs, 0o755);
    mkdirSync(join(jobs, 'actions-runner/bin'), { recursive: true });
    writeFileSync(join(jobs, 'actions-runner/bin/listener'), 'the program', { mode: 0o755 });
    const outside = join(jobs, 'outside');
    writeFileSync(outside, 'kept');
    expect(before()).toMatchObject({ status: 0, stderr: '' });
    const home = join(jobs, 'home');
    // What a job may, and what it may not.
    const job = `cd ${home} && echo x >.bashrc && echo x >actions-runner/.runner && ln -s ${outside} link && ln -s ${jobs}/actions-runner/bin dir && mkdir -p a/b && chmod 0 a
      echo x >>actions-runner/bin/listener; echo x >actions-runner/bin/other; echo x >${jobs}/mine; rm -f ${jobs}/actions-runner/bin/listener; echo done`;
    const { stdout, stderr } = as('sh', '-c', job);
    expect(stdout).toBe('done\n');
    expect(stderr.match(/ermission denied/g)).toHaveLength(4);
    expect(before()).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(home)).toEqual(['actions-runner']);
    expect(readdirSync(join(home, 'actions-runner'))).toEqual(['bin']);
    expect(readFileSync(join(home, 'actions-runner/bin/listener'), 'utf8')).toBe('the program');
    expect(readFileSync(outside, 'utf8')).toBe('kept');
    expect(as('sh', '-c', `ls ${home} && test -w ${home}`)).toMatchObject({ status: 0 });
  } finally {
    rmSync(jobs, { recursive: true, force: true });
  }
});

it('is never silent about what is missing, as where no lock of packages lies beside the installer', () => {
  cpSync(SETUP, join(folder, 'alone', 'runner-setup'), { recursive: true });
  const words = [join(folder, 'alone', 'runner-setup', 'install.sh'), '--forge', 'github', '--dry-run'];
  const { status, stdout, stderr } = spawnSync('sh', words, {
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
  // A machine with the right Node.js needs no lock.
  if (status === 0) expect(stdout).not.toBe('');
  else
    expect(stderr).toMatch(
      /there is no Node\.js 24 for every user in \/opt\/joulediff\/bin, \/usr\/local\/bin or \/usr\/bin, and no package-lock\.json beside/,
    );
});
