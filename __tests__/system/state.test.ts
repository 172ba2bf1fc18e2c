// Class: unit.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { stateFolder } from '../../src/system/state.ts';

const before = { ...process.env };
afterEach(() => {
  for (const name of ['HOME', 'XDG_STATE_HOME']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});
/** The home folder of passwd, which a variable can't change. */
const withoutVariable = (() => {
  const home = process.env.HOME;
  delete process.env.HOME;
  const found = homedir();
  if (home !== undefined) process.env.HOME = home;
  return found;
})();

describe('the state folder', () => {
  it.each([
    ['/somewhere/state', '/home/me', '/somewhere/state/joulediff'],
    ['relative', '/home/me', '/home/me/.local/state/joulediff'],
    [undefined, '/home/me', '/home/me/.local/state/joulediff'],
    ['', '', `${withoutVariable}/.local/state/joulediff`],
    [undefined, 'relative', `${withoutVariable}/.local/state/joulediff`],
  ])('with XDG_STATE_HOME %p and HOME %p is %s', (state, home, folder) => {
    delete process.env.XDG_STATE_HOME;
    if (state !== undefined) process.env.XDG_STATE_HOME = state;
    process.env.HOME = home;
    expect(stateFolder()).toBe(folder);
  });

  const uid = 987_654;
  const made = `/var/tmp/joulediff-${uid}`;
  const source = fileURLToPath(new URL('../../src/system/state.ts', import.meta.url));
  /** As a user that passwd does not know, and without HOME. */
  const asNobodyKnown = () =>
    spawnSync(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        '--input-type=module',
        '-e',
        `const { stateFolder } = await import(${JSON.stringify(source)});
         process.setgid(${uid}); process.setuid(${uid}); delete process.env.HOME; delete process.env.XDG_STATE_HOME;
         console.log(stateFolder());`,
      ],
      { encoding: 'utf8' },
    );
  const asRoot = process.getuid?.() === 0;
  (asRoot ? it : it.skip)('of a user without a home is a private one that is always there (needs root)', () => {
    rmSync(made, { recursive: true, force: true });
    try {
      expect(asNobodyKnown().stdout).toBe(`${made}\n`);
      expect(asNobodyKnown().stdout).toBe(`${made}\n`);
      chmodSync(made, 0o777);
      expect(asNobodyKnown().stderr).toContain(`${made} is not a private folder of this user.`);
      rmSync(made, { recursive: true });
      mkdirSync(made, { mode: 0o700 });
      expect(asNobodyKnown().stderr).toContain(`The user ${uid} has no home folder`);
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  });
});
