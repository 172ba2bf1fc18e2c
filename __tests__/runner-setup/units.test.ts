import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const SETUP = fileURLToPath(new URL('../../runner-setup/', import.meta.url));
const UNITS = readdirSync(join(SETUP, 'systemd'));
const isThere = spawnSync('systemd-analyze', ['--version']).status === 0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-units-'));
  cpSync(join(SETUP, 'hooks'), join(folder, 'hooks'), { recursive: true });
  copyFileSync(join(SETUP, 'github-runner.sh'), join(folder, 'github-runner.sh'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What systemd says of a unit as install.sh writes it, where the forge's own program is there. */
function verify(name: string, change = (text: string) => text) {
  const text = readFileSync(join(SETUP, 'systemd', name), 'utf8');
  const filled = text.replaceAll('@RUNNER@', 'daemon').replaceAll('@HOME@', folder).replaceAll('@PREFIX@', folder);
  const path = join(folder, name);
  writeFileSync(path, change(filled.replace(/^(ExecStart=)\/usr\/local\/bin\/\S+/m, '$1/bin/true')));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

describe('the units of the runners', () => {
  if (!isThere) {
    it.skip('are not verified: systemd-analyze is not there (apt-get install systemd)', () => undefined);
    return;
  }

  it.each(UNITS)('%s is what systemd understands', (name) => {
    expect(verify(name)).toEqual({ status: 0, said: '' });
    expect(verify(name, (text) => text.replace('KillMode=', 'KilMode=')).said).toContain('KilMode');
    expect(verify(name, (text) => text.replace(/(Exec\w+=\+?\/\S+)\.sh/, '$1.nosuch'))).toMatchObject({ status: 1 });
  });
});
