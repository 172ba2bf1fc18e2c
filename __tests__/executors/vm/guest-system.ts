import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Workload } from '../../../src/contracts/variant.ts';
import type { VmVariant } from '../../../src/executors/vm/variant.ts';
import { workload } from '../bench.ts';

/** Where Debian's kernel for guests lies; empty: it could not be had, and the tests of virtual machines are skipped. */
export const GUEST = process.env.JOULEDIFF_TEST_GUEST ?? '';

/** Drivers of its disks and its network card, each after those that it needs. */
const DRIVERS = [
  ...['virtio_ring', 'virtio', 'virtio_pci_modern_dev', 'virtio_pci_legacy_dev', 'virtio_pci', 'virtio_blk'],
  ...['failover', 'net_failover', 'virtio_net'],
];

/** All that an image has to do for joulediff: a shell at the second serial port. */
const INIT = `#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for driver in ${DRIVERS.join(' ')}; do insmod /lib/$driver.ko; done
while :; do setsid sh </dev/ttyS1 >/dev/ttyS1 2>&1; done
`;

export interface GuestSystem {
  readonly kernel: string;
  readonly initrd: string;
}

/** A system of nothing but busybox, made in a folder. */
export function guestSystem(folder: string): GuestSystem {
  const tree = join(folder, 'system');
  for (const name of ['bin', 'lib', 'proc', 'sys', 'dev', 'tmp']) mkdirSync(join(tree, name), { recursive: true });
  copyFileSync('/bin/busybox', join(tree, 'bin', 'busybox'));
  symlinkSync('busybox', join(tree, 'bin', 'sh'));
  const modules = readdirSync(join(GUEST, 'lib', 'modules'), { recursive: true, encoding: 'utf8' });
  for (const driver of DRIVERS) {
    const found = modules.find((path) => basename(path) === `${driver}.ko`);
    if (found === undefined) throw new Error(`no ${driver}.ko in ${GUEST}`);
    copyFileSync(join(GUEST, 'lib', 'modules', found), join(tree, 'lib', `${driver}.ko`));
  }
  writeFileSync(join(tree, 'init'), INIT, { mode: 0o755 });
  // As Debian's systemd ends its start: what lay in /tmp before is gone then.
  mkdirSync(join(tree, 'run', 'systemd', 'system'), { recursive: true });
  writeFileSync(join(tree, 'bin', 'systemctl'), '#!/bin/sh\nrm -rf /tmp/*\n', { mode: 0o755 });
  const names = spawnSync('find', ['.'], { cwd: tree }).stdout;
  const archive = spawnSync('busybox', ['cpio', '-o', '-H', 'newc'], {
    cwd: tree,
    input: names,
    maxBuffer: 64 * 2 ** 20,
  });
  const initrd = join(folder, 'initrd.gz');
  writeFileSync(initrd, gzipSync(archive.stdout, { level: 1 }));
  const kernel = readdirSync(join(GUEST, 'boot')).find((name) => name.startsWith('vmlinuz-'));
  return { kernel: join(GUEST, 'boot', kernel ?? ''), initrd };
}

export function vm(system: GuestSystem, given: Partial<Workload>, more: Partial<VmVariant> = {}): VmVariant {
  return {
    kind: 'vm',
    name: 'guest',
    workload: workload(given),
    image: null,
    ...system,
    append: 'quiet',
    cpus: 1,
    memoryBytes: 192 * 2 ** 20,
    cpuModel: 'max',
    accel: 'tcg',
    // Emulated, beside other tests.
    withinS: 300,
    ...more,
  };
}

export const bytesOf = (path: string): string => readFileSync(path).toString('latin1');
