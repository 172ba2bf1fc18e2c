import { accessSync, constants, statSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { getErrorCode, InputError } from '../../errors.ts';
import { askProgram } from '../../processes/ask-program.ts';
import { usableMemory } from '../../processes/limits.ts';
import type { Foreseen } from '../kind.ts';
import { CARD } from './agent.ts';
import { imageFiles } from './image.ts';
import { KVM, kvmAsSeen, proveKvm } from './kvm.ts';
import { QEMU, QEMU_PACKAGE } from './qemu-program.ts';
import type { VmVariant } from './variant.ts';

const MIB = 2 ** 20;

/** File descriptors of the child process beside its standard streams: for the guest's console, and for the line to its agent. */
export const CONSOLE_FD = 3;
export const AGENT_FD = 4;

/** Version of QEMU, such as `7.2.19`. Throws InputError where there is none, or this machine can't run the guest. */
export function checkGuest(variant: VmVariant): string {
  const who = whoIs(variant);
  if (process.arch !== 'x64') {
    throw new InputError(`${who} can't be booted: virtual machines are supported on x86-64 only.`);
  }
  const { stdout, error } = askProgram(QEMU, ['--version']);
  if (error !== undefined) {
    throw new InputError(
      `${who} needs ${QEMU}, which ${getErrorCode(error) === 'ENOENT' ? 'was not found' : 'can’t be run'}.`,
      {
        advice: `Install QEMU: sudo apt-get install ${QEMU_PACKAGE}`,
        cause: error,
      },
    );
  }
  if (variant.accel === 'kvm') checkKvm(who);
  const most = availableParallelism();
  if (variant.cpus > most) {
    throw new InputError(`${who} is to have ${variant.cpus} processors, and this machine has ${most}.`);
  }
  const mostBytes = usableMemory(totalmem());
  if (variant.memoryBytes > mostBytes) {
    throw new InputError(
      `${who} is to have ${mebibytes(variant.memoryBytes)} MiB of memory, and this machine can spare ${mebibytes(mostBytes)} MiB.`,
    );
  }
  return /version (\S+)/.exec(stdout)?.[1] ?? 'unknown';
}

/** Throws InputError for a file that is missing or can't be read, and for an image with a base that is not allowed. */
export function checkGuestFiles(variant: VmVariant): void {
  for (const key of ['image', 'kernel', 'initrd'] as const) {
    const path = variant[key];
    if (path === null) continue;
    try {
      accessSync(path, constants.R_OK);
      if (statSync(path).isFile()) {
        if (key === 'image') imageFiles(path, variant.name);
        continue;
      }
    } catch (cause) {
      if (cause instanceof InputError) throw cause;
      const why = getErrorCode(cause) === 'ENOENT' ? 'isn’t there' : 'can’t be read';
      throw new InputError(`The ${key} of variant ${JSON.stringify(variant.name)}, ${path}, ${why}.`, { cause });
    }
    throw new InputError(`The ${key} of variant ${JSON.stringify(variant.name)}, ${path}, isn’t a file.`);
  }
}

/** Whether the guest could be booted, as far as can be known without a boot. Throws InputError. */
export async function foreseeGuest(variant: VmVariant): Promise<Foreseen> {
  const version = checkGuest(variant);
  if (variant.revision === undefined) checkGuestFiles(variant);
  if (variant.accel === 'tcg') {
    return {
      state: 'warn',
      text: `QEMU ${version} emulates the processors of its guest (accel: tcg), so its numbers will say nothing about virtual machines`,
    };
  }
  await checkKvmWorks(variant);
  return { state: 'ok', text: `QEMU ${version} boots its guest with KVM for every run` };
}

/** Tests KVM by a boot. Throws InputError where it is present and does not work. */
export async function checkKvmWorks(variant: VmVariant): Promise<void> {
  if (variant.accel !== 'kvm') return;
  const proved = await proveKvm();
  if (proved.kvm !== 'broken') return;
  throw new InputError(`${whoIs(variant)} needs KVM, and ${KVM} is there but does not work: ${proved.why}.`, {
    advice: TRY_IT,
  });
}

const TRY_IT = 'To try the experiment without it, set accel: tcg.';

const whoIs = ({ name }: VmVariant): string => `The guest of variant ${JSON.stringify(name)}`;

function checkKvm(who: string): void {
  const { kvm } = kvmAsSeen();
  if (kvm === 'absent') {
    throw new InputError(`${who} needs KVM, and there is no ${KVM}.`, {
      advice: `Turn on virtualization in the firmware; in a virtual machine, its host has to allow nested virtualization. ${TRY_IT}`,
    });
  }
  if (kvm === 'forbidden') {
    throw new InputError(`${who} needs KVM, and ${KVM} may not be opened by this user.`, {
      advice: `Add the user to the group kvm (sudo usermod -aG kvm "$USER") and log in again. ${TRY_IT}`,
    });
  }
}

export interface Boot {
  readonly variant: VmVariant;
  /** Archive of the files that the guest gets as a drive. */
  readonly drive: string;
  /** TCP ports of this machine's loopback address that lead to the same ports of the guest; none: it has no network. */
  readonly ports: readonly number[];
}

/** Command line of QEMU. It only has the devices that are named here: no display, no monitor, and a network that leads nowhere but to these ports. */
export function qemuWords({ variant, drive, ports }: Boot): string[] {
  const { accel, cpuModel, cpus, memoryBytes, image, kernel, initrd } = variant;
  return [
    ...['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none', '-nic', 'none'],
    ...['-name', 'joulediff', '-machine', 'q35', '-accel', accel, '-cpu', cpuModel],
    ...['-smp', String(cpus), '-m', `${mebibytes(memoryBytes)}M`],
    ...['-chardev', `socket,id=console,fd=${CONSOLE_FD}`, '-serial', 'chardev:console'],
    ...['-chardev', `socket,id=agent,fd=${AGENT_FD}`, '-serial', 'chardev:agent'],
    // The order counts: the user's disk is the first one that the guest finds.
    ...(image === null ? [] : imageWords(image, variant.name)),
    ...['-drive', `if=none,id=files,readonly=on,format=raw,file=${comma(drive)}`],
    ...['-device', 'virtio-blk-pci,drive=files,serial=joulediff'],
    ...(ports.length === 0 ? [] : networkWords(ports)),
    ...(kernel === null ? [] : ['-kernel', kernel, '-append', kernelWords(variant)]),
    ...(initrd === null ? [] : ['-initrd', initrd]),
  ];
}

const networkWords = (ports: readonly number[]): string[] => [
  '-netdev',
  ['user,id=net,ipv6=off,restrict=on', ...ports.map((port) => `hostfwd=tcp:127.0.0.1:${port}-:${port}`)].join(','),
  ...['-device', `virtio-net-pci,netdev=net,mac=${CARD},romfile=`],
];

/** Options for the disk. The image is examined again at each boot, since it may have changed. */
const imageWords = (image: string, variant: string): string[] => [
  ...['-drive', `if=none,id=image,snapshot=on,format=${imageFiles(image, variant)[0]?.format},file=${comma(image)}`],
  ...['-device', 'virtio-blk-pci,drive=image,bootindex=1'],
];

/**
 * A guest that panics ends instead of standing still. systemd opens a shell at the second serial port if the command line asks for it; other systems
 * ignore that word. A kernel measures the rate of its processor's counter at boot, and a busy machine falsifies that of an emulated one. So an emulated
 * guest's clock follows a timer that QEMU keeps on this machine's clock. The user's words come last, since the last one counts.
 */
const kernelWords = ({ accel, append }: VmVariant): string =>
  [
    'console=ttyS0 panic=-1 systemd.debug_shell=ttyS1',
    accel === 'tcg' ? 'tsc=unstable clocksource=acpi_pm' : '',
    append,
  ]
    .filter(Boolean)
    .join(' ');

const mebibytes = (bytes: number): number => Math.floor(bytes / MIB);

/** Escapes commas, which end an option in QEMU's lists. */
const comma = (path: string): string => path.replaceAll(',', ',,');
