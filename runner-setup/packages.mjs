// Debian packages: only those that are missing.
import { find, output, run, SetupError, say } from './command.mjs';

/** Is there a busybox that needs no libraries? Only such a one runs in an image that holds nothing else. */
function hasStaticBusybox() {
  const busybox = find('busybox');
  return busybox !== null && (output('ldd', [busybox]) ?? 'statically linked').includes('statically linked');
}

const present = {
  'busybox-static': hasStaticBusybox,
  'docker.io': () => find('dockerd') !== null,
  chromium: () => find('chromium') !== null,
  'cgroupfs-mount': () => find('cgroupfs-mount') !== null,
  git: () => find('git') !== null,
  procps: () => find('pgrep') !== null,
  python3: () => find('python3') !== null,
  socat: () => find('socat') !== null,
};

/**
 * Installs those of the packages that are missing, as root or by `sudo -n`.
 * Throws SetupError with the command to give where neither is possible.
 */
export async function ensurePackages(names, { signal } = {}) {
  const missing = names.filter((name) => !present[name]());
  if (missing.length === 0) {
    return;
  }
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  const asRoot = process.getuid?.() === 0 ? [] : output('sudo', ['-n', 'true']) !== null ? ['sudo', '-n'] : null;
  if (asRoot === null || find('apt-get') === null) {
    const how = find('apt-get') ? `Run: sudo ${command}` : 'Install them with the package manager of this system.';
    throw new SetupError(
      `These packages are missing and cannot be installed by this user: ${missing.join(', ')}. ${how}`,
    );
  }
  say(`installing ${missing.join(', ')} (apt-get)`);
  // RUNLEVEL=1: a service that comes with a package isn't started behind our back where there is no systemd.
  const apt = [
    ...asRoot,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'RUNLEVEL=1',
    'apt-get',
    '-o',
    'DPkg::Lock::Timeout=120',
  ];
  const [program, ...args] = apt;
  await run(program, [...args, 'update'], { signal });
  await run(program, [...args, 'install', '-y', '--no-install-recommends', ...missing], { signal });
}
