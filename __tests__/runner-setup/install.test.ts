import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const IN_OVERLAY = fileURLToPath(new URL('in-overlay.sh', import.meta.url));
const SCRIPTS = ['install.sh', 'github-runner.sh', 'hooks/job-started.sh', 'hooks/job-completed.sh'].map(
  (name) => `${CHECKOUT}/runner-setup/${name}`,
);

const succeeds = (program: string, ...words: string[]): boolean => spawnSync(program, words).status === 0;

/** Why the whole of it can't be tried here; null: it can. */
function hindrance(): string | null {
  const system = readFileSync('/etc/os-release', 'utf8');
  if (!/^ID(_LIKE)?=.*(debian|ubuntu)/m.test(system)) return 'this is neither Debian nor Ubuntu';
  if (process.getuid?.() !== 0) return 'only root can prepare this';
  const overlay =
    'mount -t tmpfs t /mnt && mkdir /mnt/u /mnt/w /mnt/r && mount -t overlay o -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r';
  return succeeds('unshare', '-m', '--propagation', 'private', 'sh', '-c', overlay)
    ? null
    : 'no overlay can be mounted here';
}

const why = hindrance();
const tried = why === null ? it : it.skip;

describe('runner-setup/install.sh', () => {
  tried(
    `sets a machine up, changes nothing twice, and puts everything back${why === null ? '' : ` (${why})`}`,
    () => {
      const words = ['--forge', 'gitea', '--meter-usb', '0403:6001:A1B2', '--no-docker', '--quiet-profile', 'upgrades'];
      const { stdout, stderr, status } = spawnSync(
        'unshare',
        ['-m', '--propagation', 'private', 'sh', IN_OVERLAY, CHECKOUT, process.execPath, ...words],
        { encoding: 'utf8' },
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const parts = stdout.split(/^== /m).slice(1);
      const [dry, files, unset, install, again, check, installed, changed, uninstall, left, gone] = parts.map((part) =>
        part.slice(part.indexOf('\n') + 1).trimEnd(),
      );
      // Nothing happens that wasn't said before, and all that was said happens.
      const saidOf = (text = '', start = '') =>
        text.split('\n').flatMap((line) => (line.startsWith(start) ? [line.slice(start.length)] : []));
      const said = saidOf(dry, 'would: ');
      const done = saidOf(install, '* ');
      expect(said.length).toBeGreaterThan(10);
      expect(done.filter((line) => !line.startsWith('make the folder'))).toEqual(
        said.filter((line) => !line.startsWith('make the folder')),
      );
      expect(files).toBe('');
      expect(unset).toMatch(/exit code 1$/);
      expect([again, check]).toEqual([
        'Everything is as it should be; nothing was changed.',
        'Everything is as it should be.',
      ]);
      expect(installed).toMatch(
        /^\d+\.\d+\.\d+\njoulediff-runner joulediff\njoulediff-work\n750 joulediff-runner\n\/dev\/null\n/,
      );
      expect(installed).toContain('SYMLINK+="joulediff-meter", GROUP="joulediff"');
      expect(installed).toContain('ATTRS{serial}=="A1B2"');
      expect(installed).not.toContain('@');
      // What its owner wrote into the settings is the owner's.
      expect(changed).toBe('Everything is as it should be; nothing was changed.');
      expect(uninstall).toContain('* put back /etc/udev/rules.d/71-joulediff.rules');
      expect(uninstall).toMatch(/The machine is as it was found\.$/);
      expect(left).toBe('');
      expect(gone).toBe('Nothing was set up here.');
    },
    120_000,
  );

  it.each([
    [['--forge', 'gitlab'], '--forge is github, gitea or forgejo, and not gitlab'],
    [['--meter-usb', '0403'], '--meter-usb is vendor:product or vendor:product:serial in lower case'],
    [['--meter-usb', '0403:6001:"; reboot'], '--meter-usb is vendor:product or vendor:product:serial in lower case'],
    [['--runner-user', 'a b'], 'names of users are small letters, digits, - and _'],
    [
      ['--quiet-profile', 'everything'],
      '--quiet-profile knows timers, upgrades, turbo, governor and smt, and not everything',
    ],
    [['--forge'], '--forge needs a value'],
    [['--remove'], 'there is no option --remove; --help lists them'],
  ])('refuses %j in a sentence, and changes nothing', (words, sentence) => {
    const { status, stdout, stderr } = spawnSync('sh', [SCRIPTS[0] as string, ...words], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`install.sh: ${sentence}`);
  });

  const isThere = succeeds('shellcheck', '--version');
  (isThere ? it : it.skip)(`holds for shellcheck${isThere ? '' : ' (apt-get install shellcheck)'}`, () => {
    const { stdout, status } = spawnSync('shellcheck', [...SCRIPTS, IN_OVERLAY], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });
});
