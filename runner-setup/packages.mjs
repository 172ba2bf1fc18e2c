// Debian packages: only those that are missing.
import { existsSync, readdirSync } from 'node:fs';
import { find, output, run, SetupError, say } from './command.mjs';

/** Is there a busybox that needs no libraries? Only such a one runs in an image that holds nothing else. */
function hasStaticBusybox() {
  const busybox = find('busybox');
  return busybox !== null && (output('ldd', [busybox]) ?? 'statically linked').includes('statically linked');
}

/** How a package shows that it is there, where that isn't a program of its own name. */
const present = {
  'apache2-bin': () => find('apache2') !== null,
  'apache2-utils': () => find('ab') !== null,
  'busybox-static': hasStaticBusybox,
  'default-jre-headless': () => find('java') !== null,
  'docker.io': () => find('dockerd') !== null,
  'libc6-dev': () => existsSync('/usr/include/stdio.h'),
  'linux-perf': () => output('perf', ['--version']) !== null,
  'mariadb-server-core': () => find('mariadbd') !== null,
  'musl-tools': () => find('musl-gcc') !== null,
  // Podman's network, which no user calls.
  netavark: () => existsSync('/usr/lib/podman/netavark') || find('netavark') !== null,
  'nginx-light': () => find('nginx') !== null,
  'openssh-server': () => find('sshd') !== null,
  'php-fpm': () => readdirSync('/usr/sbin').some((name) => name.startsWith('php-fpm')),
  // Debian keeps its servers out of PATH.
  postgresql: () => output('sh', ['-c', 'ls /usr/lib/postgresql/*/bin/postgres']) !== null,
  procps: () => find('pgrep') !== null,
  'python3-pip': () => output('/usr/bin/python3', ['-m', 'pip', '--version']) !== null,
  'qemu-system-x86': () => find('qemu-system-x86_64') !== null,
  'r-base-core': () => find('Rscript') !== null,
  'redis-tools': () => find('redis-benchmark') !== null,
  uidmap: () => find('newuidmap') !== null,
  wordpress: () => existsSync('/usr/share/wordpress'),
  'wordpress-theme-twentytwentythree': () => existsSync('/usr/share/wordpress/wp-content/themes/twentytwentythree'),
};
const isPresent = (name) => present[name]?.() ?? find(name) !== null;

/**
 * As Debian's policy-rc.d: no service that comes with a package is started, now or by an upgrade while this runs. Removed afterwards, also by
 * the next start where this one was killed; one of the machine's own stays.
 */
const WITHOUT_SERVICES = `
  policy=/usr/sbin/policy-rc.d mark='# joulediff installs packages; may be removed'
  if [ ! -e $policy ] || grep -qxF "$mark" $policy; then
    trap 'rm -f $policy' EXIT
    trap 'exit 143' INT TERM
    printf '%s\\n' '#!/bin/sh' "$mark" 'exit 101' > $policy
    chmod 755 $policy
  fi
  "$@" || exit`;

/**
 * Installs those of the packages that are missing, as root or by `sudo -n`.
 * Throws SetupError with the command to give where neither is possible.
 */
export async function ensurePackages(names, { signal } = {}) {
  const missing = names.filter((name) => !isPresent(name));
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
  const [program, ...args] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'sh', '-c', WITHOUT_SERVICES, 'sh'];
  const apt = [...args, 'apt-get', '-o', 'DPkg::Lock::Timeout=120'];
  await run(program, [...apt, 'update'], { signal });
  await run(program, [...apt, 'install', '-y', '--no-install-recommends', ...missing], { signal });
}
