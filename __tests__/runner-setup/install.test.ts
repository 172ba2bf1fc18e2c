// Class: world, systems, long.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
// @ts-expect-error -- what sets the tests up is plain JavaScript.
import { builtRoots, nodeTarball } from '../setup/roots.mjs';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const IN_ROOT = fileURLToPath(new URL('in-root.sh', import.meta.url));
const IN_COPY = fileURLToPath(new URL('in-copy.sh', import.meta.url));
const SCRIPTS = ['install.sh', 'github-runner.sh', 'job-home.sh', 'hooks/job-started.sh', 'hooks/job-completed.sh'].map(
  (name) => `${CHECKOUT}/runner-setup/${name}`,
);

const succeeds = (program: string, ...words: string[]): boolean => spawnSync(program, words).status === 0;

const roots = new Map((builtRoots() as string[]).map((folder) => [basename(folder), folder]));
const node = nodeTarball();

/** Why it can't be tried in this system; null: it can. */
function hindrance(name: string): string | null {
  if (!roots.has(name) || !node.isThere)
    return 'it could not be made: debootstrap, as root, with Debian’s and Ubuntu’s archives';
  return overlayHindrance();
}

function overlayHindrance(): string | null {
  if (process.getuid?.() !== 0) return 'only root can prepare this';
  const overlay =
    'mount -t tmpfs t /mnt && mkdir /mnt/u /mnt/w /mnt/r && mount -t overlay o -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r';
  return succeeds('unshare', '-mn', '--propagation', 'private', 'sh', '-c', overlay)
    ? null
    : 'no overlay can be mounted here';
}

/** Packages are unpacked and removed meanwhile. */
const LIMIT_MS = 900_000;

const QUIET = ['--quiet-profile', 'timers,upgrades,turbo,governor,smt'];
const TARBALL = ['--node-tarball', `/mnt/registry/${node.name}/-/${node.name}-${node.version}.tgz`];

/** What was printed under each `== heading`, and the lines that begin with a mark. */
const partsOf = (stdout: string): string[] =>
  stdout
    .split(/^== .*\n/m)
    .slice(1)
    .map((part) => part.trimEnd());
const marked = (mark: string, text = ''): string[] =>
  text.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length)] : []));

interface Case {
  readonly root: string;
  readonly words: readonly string[];
  /** The groups of the runner's user. */
  readonly groups: string;
  /** Turbo, governors and SMT as they are then. */
  readonly switches: readonly string[];
  readonly has: readonly string[];
  readonly hasNot: readonly string[];
}

const AS_FOUND = ['0', 'powersave', 'schedutil', 'on'];
const SWITCHED_OFF = ['1', 'performance', 'performance', 'off'];

const cases: readonly Case[] = [
  {
    root: 'debian-12',
    words: ['--forge', 'github', '--meter-usb', '0403:6001:A1B2', ...QUIET],
    groups: 'joulediff-runner joulediff docker',
    switches: SWITCHED_OFF,
    has: [
      ...['440 joulediff', 'apt-daily.timer /dev/null', 'man-db.timer /dev/null', 'brltty-udev.service /dev/null'],
      ...['SYMLINK+="joulediff-meter", GROUP="joulediff"', 'ATTRS{serial}=="A1B2"', 'GITHUB_SCOPE='],
      'ExecStart=/opt/joulediff/github-runner.sh run',
      'ExecStartPre=+/opt/joulediff/job-home.sh',
      'XDG_STATE_HOME=/var/lib/joulediff-runner/.local/state',
      'w /sys/devices/system/cpu/smt/control - - - - off',
    ],
    hasNot: [],
  },
  {
    root: 'ubuntu-24.04',
    words: ['--forge', 'gitea'],
    groups: 'joulediff-runner dialout joulediff docker',
    switches: AS_FOUND,
    has: [
      ...[
        '440 joulediff',
        'labels: ["joulediff:host", "self-hosted:host"]',
        'job_started: /opt/joulediff/hooks/job-started',
      ],
      'ExecStart=/usr/local/bin/gitea-runner daemon --once --config /etc/joulediff/gitea-runner.yaml',
    ],
    hasNot: ['/dev/null', 'joulediff-meter'],
  },
  {
    root: 'ubuntu-24.04',
    words: ['--forge', 'forgejo', '--meter-usb', '1a86:7523', '--no-docker', '--no-rapl', ...QUIET, ...TARBALL],
    groups: 'joulediff-runner joulediff',
    switches: SWITCHED_OFF,
    has: [
      ...['400 root', 'apt-daily.timer /dev/null', 'token_url: file:/etc/joulediff/forgejo.token'],
      'ExecStart=/usr/local/bin/forgejo-runner one-job --wait --config /etc/joulediff/forgejo-runner.yaml',
    ],
    hasNot: ['powercap', 'serial'],
  },
];

describe('runner-setup/install.sh', () => {
  for (const { root, words, groups, switches, has, hasNot } of cases) {
    const why = hindrance(root);
    const title = `sets ${root} up, changes nothing twice, and puts everything back: ${words.slice(0, -1).join(' ')}`;
    (why === null ? it : it.skip)(
      `${title}${why === null ? '' : ` (${why})`}`,
      async () => {
        const inRoot = ['sh', IN_ROOT, roots.get(root) as string, CHECKOUT, node.registry, ...words];
        const inMounts = ['-mn', '--propagation', 'private', ...inRoot];
        const { stdout, stderr } = await promisify(execFile)('unshare', inMounts, {
          maxBuffer: 1e8,
          env: { ...process.env, LATER: root === 'debian-12' ? 'yes' : '' },
        });
        expect(stderr).toBe('');
        const [dry, looked, unset, install, again, twice, check, installed, changed, uninstall, left, gone, ...later] =
          partsOf(stdout);
        // Nothing happens that wasn't said before, and all that was said happens.
        const isMore = (line: string) => !line.startsWith('make the folder');
        const said = marked('would: ', dry);
        expect(said.length).toBeGreaterThan(10);
        expect(marked('* ', install).filter(isMore)).toEqual(said.filter(isMore));
        expect({ looked, twice }).toEqual({ looked: '', twice: '' });
        expect(unset).toMatch(/exit code 1$/);
        expect([again, check]).toEqual([
          'Everything is as it should be; nothing was changed.',
          'Everything is as it should be.',
        ]);
        const lines = installed?.split('\n') ?? [];
        expect(lines.slice(1, 4)).toEqual([groups, 'joulediff-work', '750 root']);
        expect(lines.slice(4, 8).map((line) => line.split(':').at(-1))).toEqual(switches);
        for (const text of has) expect(installed).toContain(text);
        for (const text of hasNot) expect(installed).not.toContain(text);
        expect(installed).not.toMatch(/@[A-Z]+@/);
        // What its owner wrote into the settings is the owner's.
        expect(changed).toBe('Everything is as it should be; nothing was changed.');
        expect(uninstall).toContain('* put back /etc/udev/rules.d/71-joulediff.rules');
        // The owner had put a file there.
        expect(uninstall).toMatch(/The machine is as it was found, but for: \/var\/lib\/joulediff-runner$/);
        expect({ left, gone }).toEqual({ left: '', gone: 'Nothing was set up here.' });
        if (later.length === 0) return;
        const [over, refused, taken = '', kept] = later;
        const own = '/var/lib/joulediff-runner';
        expect(over).toBe(
          `root:joulediff-runner ${own}\njoulediff-runner:joulediff-runner ${own}/.local/state/joulediff/digest-key`,
        );
        expect(refused).toBe('exit code 2\nexit code 2\nexit code 2');
        expect(taken).toMatch(/these stay, because something else needs them now:.* ca-certificates/);
        expect(taken).toContain("Docker's data stays in /var/lib/docker");
        expect(taken).toMatch(/but for:.* ca-certificates .*\/var\/lib\/docker/);
        expect(kept).toBe(
          'ca-certificates install ok installed\nopenssl install ok installed\ntheirs install ok installed\nprecious',
        );
      },
      LIMIT_MS,
    );
  }

  const obstacle = existsSync('/etc/debian_version') ? overlayHindrance() : 'this is neither Debian nor Ubuntu';
  const inCopy = obstacle === null ? it : it.skip;
  const unlessObstacle = obstacle === null ? '' : ` (${obstacle})`;
  /** What was printed under each heading. */
  const partsInCopy = (scenario: string): string[] => {
    const inMounts = ['-mn', '--propagation', 'private', 'sh', IN_COPY, CHECKOUT, scenario, process.execPath];
    const { stdout, stderr } = spawnSync('unshare', inMounts, { encoding: 'utf8' });
    expect(stderr).toBe('');
    return partsOf(stdout);
  };
  const UNIVERSE = 'On Ubuntu it may be in universe';

  inCopy(
    `removes what came with apt-get that failed or was killed${unlessObstacle}`,
    () => {
      const [failed, ...parts] = partsInCopy('interrupted');
      expect(failed).toMatch(/apt-get could not install curl ca-certificates.*\nexit code 2$/s);
      const [, , killed, , , killedFirst, again] = parts;
      expect([killed, killedFirst]).toEqual([1, 2].map(() => expect.stringMatching(/exit code 137$/)));
      expect(again).toMatch(/could not be fetched.*sudo npm_config_registry=URL.*\nexit code 2$/s);
      for (const at of [0, 3, 7]) {
        expect(parts[at]).toContain('nothing else needs: curl libcurl');
        expect(parts.slice(at, at + 2)).toEqual([
          expect.stringMatching(/\nThe machine is as it was found\.$/),
          'ii base',
        ]);
      }
    },
    LIMIT_MS,
  );

  inCopy(
    `waits for another apt-get, and keeps its record where that takes too long${unlessObstacle}`,
    () => {
      const parts = partsInCopy('locked');
      const [install, broken, tooLong, record, uninstall, nothing, unknown, locked, back, ...configured] = parts;
      expect(install).not.toContain('exit code');
      expect(broken).toMatch(
        /E: Unmet dependencies\n.*can't say what needs docker\.io: .*The record stays in .*\nexit code 2$/s,
      );
      expect(tooLong).toMatch(/could not remove docker\.io: .*The record stays in [^ ]* until then\nexit code 2$/s);
      expect(tooLong).not.toContain('The machine is as it was found');
      expect(record).toBe('ii base\nii docker.io\ndocker\nrecord');
      expect(uninstall).toMatch(
        /\* remove the packages .* docker\.io\n.*\* remove the group docker\n.*as it was found\.$/s,
      );
      expect(nothing).toBe('ii base');
      // Where the sources have it, universe is no remedy.
      expect(unknown).toContain(UNIVERSE);
      expect(locked).toMatch(/E: Could not get lock\n.*could not install docker\.io: see above/s);
      expect(locked).not.toContain(UNIVERSE);
      expect(back).toMatch(/as it was found\.$/);
      // Of packages whose configuration was there, the configuration stays.
      const isBack = [expect.not.stringContaining('exit code'), expect.stringMatching(/as it was found\.$/)];
      const asBefore = [...isBack, 'ii base\nrc docker.io'];
      expect(configured).toEqual([...asBefore, ...asBefore]);
    },
    LIMIT_MS,
  );

  inCopy(
    `keeps up with Node.js, and keeps what an earlier call was told${unlessObstacle}`,
    () => {
      const [install, moved, hook, dry, check, smt, asBefore, turbo, untold, start, unreachable] = partsInCopy('again');
      expect(install).not.toContain('exit code');
      expect(marked('* ', moved)).toEqual([
        'write /usr/local/bin/joulediff (the terminal program)',
        'write /opt/joulediff/hooks/job-started.sh (around each job)',
      ]);
      const own = '/opt/joulediff/bin/node';
      expect(hook?.split('\n')).toEqual([`NODE=${own}`, `exec ${own} /opt/joulediff/dist/cli.js "$@"`]);
      expect(dry).toBe('Everything is as it should be.');
      expect(check).toMatch(/^install\.sh: --check: only root can look .*\nexit code 2$/);
      expect([smt, turbo]).toEqual([expect.stringContaining('smt/control'), expect.stringContaining('cpufreq/boost')]);
      const nothing = 'Everything is as it should be; nothing was changed.';
      expect([asBefore, untold]).toEqual([nothing, nothing]);
      const cpu = 'w /sys/devices/system/cpu';
      const [boost, control, ...rules] = start?.split('\n') ?? [];
      expect([boost, control]).toEqual([`${cpu}/cpufreq/boost - - - - 0`, `${cpu}/smt/control - - - - off`]);
      expect(rules[1]).toContain(
        'ATTRS{idVendor}=="0403", ATTRS{idProduct}=="6001", ATTRS{serial}=="A1", SYMLINK+="joulediff-meter"',
      );
      // Meters without a serial port: on hidraw and usbtmc.
      expect(rules[2]).toBe(
        'SUBSYSTEM=="hidraw|usbmisc", ATTRS{idVendor}=="0403", ATTRS{idProduct}=="6001", ATTRS{serial}=="A1", GROUP="joulediff", MODE="0660"',
      );
      expect(unreachable).toMatch(/would: put Node\.js [\d.]+ into \/opt\/joulediff\/node/);
    },
    LIMIT_MS,
  );

  inCopy(
    `names the drop-in files that change the unit, and stay${unlessObstacle}`,
    () => {
      const overrides = '/etc/systemd/system/joulediff-gitea-runner.service.d';
      const [install, again, uninstall, later] = partsInCopy('override');
      expect(install).not.toContain(overrides);
      expect([again, later]).toEqual([1, 2].map(() => expect.stringContaining(`  ${overrides} changes this unit`)));
      expect(again).toContain('Everything is as it should be; nothing was changed.');
      expect(uninstall).toMatch(/as it was found, but for: .*gitea-runner\.service\.d$/);
    },
    LIMIT_MS,
  );

  it.each([
    [['--forge', 'gitlab'], '--forge is github, gitea or forgejo, and not gitlab'],
    [['--meter-usb', '0403'], '--meter-usb is vendor:product or vendor:product:serial in lower case'],
    [['--meter-usb', '0403:6001:"; reboot'], '--meter-usb is vendor:product or vendor:product:serial in lower case'],
    [['--runner-user', 'a b'], '--runner-user a b: names of users are small letters, digits, - and _'],
    [
      ['--quiet-profile', 'everything'],
      '--quiet-profile knows timers, upgrades, turbo, governor and smt, and not everything',
    ],
    [['--quiet-profile', 'timers\nturbo'], '--quiet-profile needs a value: not empty, on one line'],
    [['--meter-usb', '0403:6001\n", RUN+="/bin/sh'], '--meter-usb needs a value: not empty, on one line'],
    [['--meter-usb', ''], '--meter-usb needs a value: not empty'],
    [['--node-tarball', '--dry-run'], '--node-tarball needs a value'],
    [['--node-tarball', '/nonexistent/node.tgz'], '--node-tarball: there is no file /nonexistent/node.tgz'],
    [['--forge'], '--forge needs a value'],
    ...['root', 'docker', 'joulediff'].map((name): [string[], string] => [
      ['--runner-user', name],
      `--runner-user ${name}: this name has rights of its own`,
    ]),
    [['--runner-user', ''], '--runner-user needs a value'],
    [['--runner-user', '-x'], '--runner-user needs a value'],
    [['--runner-user', '1x'], '--runner-user 1x: names of users are'],
    [['--runner-user', 'a\nb'], '--runner-user needs a value'],
    [['--runner-user', 'a/../b'], '--runner-user a/../b: names of users are'],
    [['--runner-user', 'sys'], '--runner-user sys: this user may not log in'],
    [['--runner-user', 'adm'], '--runner-user adm: there is a group adm already'],
    [['--runner-user', 'dpkg'], '--runner-user dpkg: its home /var/lib/dpkg belongs to root'],
    [['--workload-user', 'root'], '--workload-user root: this name has rights of its own'],
    [['--workload-user', 'joulediff-runner'], '--workload-user joulediff-runner: this is the runner'],
    [['--dry-run', '--uninstall'], '--dry-run and --uninstall exclude each other; nothing was changed'],
    [['--uninstall', '--dry-run'], '--uninstall and --dry-run exclude each other; nothing was changed'],
    [['--check', '--uninstall'], '--check and --uninstall exclude each other; nothing was changed'],
    [['--dry-run', '--check'], '--dry-run and --check exclude each other; nothing was changed'],
    [['--remove-docker-data'], '--remove-docker-data goes with --uninstall'],
    [['--remove'], 'there is no option --remove; --help lists them'],
  ])('refuses %j in a sentence, and changes nothing', (words, sentence) => {
    // Should one be taken all the same, nothing of this machine can be written.
    const isRoot = process.getuid?.() === 0;
    const readOnly = [
      '-mn',
      '--propagation',
      'private',
      'sh',
      '-c',
      'mount -o remount,bind,ro / && exec sh "$@"',
      'sh',
    ];
    const all = [...(isRoot ? ['unshare', ...readOnly] : ['sh']), SCRIPTS[0] as string, ...words];
    const { status, stdout, stderr } = spawnSync(all[0] as string, all.slice(1), { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`install.sh: ${sentence}`);
  });

  const isApart = process.getuid?.() === 0 && existsSync('/etc/systemd/system');
  (isApart ? it : it.skip)(
    `refuses the unit of a second forge${isApart ? '' : ' (only as root, with systemd)'}`,
    () => {
      const here =
        'mount -t tmpfs t /etc/systemd/system && touch /etc/systemd/system/joulediff-gitea-runner.service && mount -o remount,bind,ro / && exec sh "$@"';
      const run = [
        '-mn',
        '--propagation',
        'private',
        'sh',
        '-c',
        here,
        'sh',
        SCRIPTS[0] as string,
        '--forge',
        'github',
      ];
      const { status, stdout, stderr } = spawnSync('unshare', run, { encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain('install.sh: --forge github: here is the unit of gitea already');
    },
  );

  const isThere = succeeds('shellcheck', '--version');
  (isThere ? it : it.skip)(`holds for shellcheck${isThere ? '' : ' (apt-get install shellcheck)'}`, () => {
    const { stdout, status } = spawnSync('shellcheck', [...SCRIPTS, IN_ROOT, IN_COPY], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });
});
