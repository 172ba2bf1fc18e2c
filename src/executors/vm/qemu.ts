import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { codeOf, InputError } from '../../errors.ts';
import { askProgram } from '../ask-program.ts';
import type { Foreseen } from '../kind.ts';
import { memoryOf } from '../limits.ts';
import type { VmVariant } from './variant.ts';

export const QEMU = 'qemu-system-x86_64';
const KVM = '/dev/kvm';
const MIB = 2 ** 20;

/** Of what the process inherits, beside its standard streams: the guest's console, and the line to its agent. */
export const CONSOLE_FD = 3;
export const AGENT_FD = 4;

/** `7.2.19`. Throws InputError where there is no QEMU, or a guest can't be what it is to be on this machine. */
export function checkGuest(variant: VmVariant): string {
  const who = `The guest of variant ${JSON.stringify(variant.name)}`;
  if (process.arch !== 'x64') {
    throw new InputError(`${who} can't be booted: virtual machines are supported on x86-64 only.`);
  }
  const { stdout, error } = askProgram(QEMU, ['--version']);
  if (error !== undefined) {
    throw new InputError(
      `${who} needs ${QEMU}, which ${codeOf(error) === 'ENOENT' ? 'was not found' : 'can’t be run'}.`,
      {
        advice: 'Install QEMU: sudo apt-get install qemu-system-x86',
        cause: error,
      },
    );
  }
  if (variant.accel === 'kvm') checkKvm(who);
  const most = availableParallelism();
  if (variant.cpus > most) {
    throw new InputError(`${who} is to have ${variant.cpus} processors, and this machine has ${most}.`);
  }
  const mostBytes = memoryOf(totalmem());
  if (variant.memoryBytes > mostBytes) {
    throw new InputError(
      `${who} is to have ${mebibytes(variant.memoryBytes)} MiB of memory, and this machine can spare ${mebibytes(mostBytes)} MiB.`,
    );
  }
  return /version (\S+)/.exec(stdout)?.[1] ?? 'unknown';
}

/** Throws InputError for a file that isn't there or can't be read. */
export function checkGuestFiles(variant: VmVariant): void {
  for (const key of ['image', 'kernel', 'initrd'] as const) {
    const path = variant[key];
    if (path === null) continue;
    try {
      accessSync(path, constants.R_OK);
      if (statSync(path).isFile()) continue;
    } catch (cause) {
      const why = codeOf(cause) === 'ENOENT' ? 'isn’t there' : 'can’t be read';
      throw new InputError(`The ${key} of variant ${JSON.stringify(variant.name)}, ${path}, ${why}.`, { cause });
    }
    throw new InputError(`The ${key} of variant ${JSON.stringify(variant.name)}, ${path}, isn’t a file.`);
  }
}

/** Whether it could be booted, as far as can be known without booting it. Throws InputError. */
export async function foreseeGuest(variant: VmVariant): Promise<Foreseen> {
  const version = checkGuest(variant);
  if (variant.revision === undefined) checkGuestFiles(variant);
  if (variant.accel === 'tcg') {
    return {
      state: 'warn',
      text: `QEMU ${version} emulates the processors of its guest (accel: tcg), so its numbers will say nothing about virtual machines`,
    };
  }
  return { state: 'ok', text: `QEMU ${version} boots its guest with KVM for every run` };
}

function checkKvm(who: string): void {
  try {
    accessSync(KVM, constants.R_OK | constants.W_OK);
  } catch (cause) {
    const tryIt = 'To try the experiment without it, set accel: tcg.';
    if (codeOf(cause) === 'ENOENT') {
      throw new InputError(`${who} needs KVM, and there is no ${KVM}.`, {
        advice: `Turn on virtualization in the firmware; in a virtual machine, its host has to allow nested virtualization. ${tryIt}`,
        cause,
      });
    }
    throw new InputError(`${who} needs KVM, and ${KVM} may not be opened by this user.`, {
      advice: `Add the user to the group kvm (sudo usermod -aG kvm "$USER") and log in again. ${tryIt}`,
      cause,
    });
  }
}

export interface Boot {
  readonly variant: VmVariant;
  /** Archive of the files that the guest gets as a drive. */
  readonly drive: string;
}

/** The words of QEMU's command line. Nothing is there but what is named: no network, no display, no monitor. */
export function qemuWords({ variant, drive }: Boot): string[] {
  const { accel, cpuModel, cpus, memoryBytes, image, kernel, initrd } = variant;
  return [
    ...['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none', '-nic', 'none'],
    ...['-name', 'joulediff', '-machine', 'q35', '-accel', accel, '-cpu', cpuModel],
    ...['-smp', String(cpus), '-m', `${mebibytes(memoryBytes)}M`],
    ...['-chardev', `socket,id=console,fd=${CONSOLE_FD}`, '-serial', 'chardev:console'],
    ...['-chardev', `socket,id=agent,fd=${AGENT_FD}`, '-serial', 'chardev:agent'],
    // Devices in this order: the user's disk is the first one that the guest finds.
    ...(image === null ? [] : imageWords(image)),
    ...['-drive', `if=none,id=files,readonly=on,format=raw,file=${comma(drive)}`],
    ...['-device', 'virtio-blk-pci,drive=files,serial=joulediff'],
    ...(kernel === null ? [] : ['-kernel', kernel, '-append', kernelWords(variant)]),
    ...(initrd === null ? [] : ['-initrd', initrd]),
  ];
}

const imageWords = (image: string): string[] => [
  ...['-drive', `if=none,id=image,snapshot=on,format=${formatOf(image)},file=${comma(image)}`],
  ...['-device', 'virtio-blk-pci,drive=image,bootindex=1'],
];

/**
 * A guest that panics ends, instead of standing still; systemd opens a shell at the second serial port by itself when it is told so, which others
 * don't read. What a kernel takes for the rate of an emulated processor's counter depends on how busy this machine was when it booted: emulated, its
 * clock goes by a timer that QEMU keeps on this machine's clock. The user's words come last, since the last one counts.
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

/** In a list of options, a comma ends one, and two of them are one. */
const comma = (path: string): string => path.replaceAll(',', ',,');

/** Told, not guessed by QEMU: what a guest writes at the beginning of a raw disk must not make it another format. */
function formatOf(image: string): 'qcow2' | 'raw' {
  const file = openSync(image, 'r');
  try {
    const magic = Buffer.alloc(4);
    readSync(file, magic, 0, 4, 0);
    return magic.toString('latin1') === 'QFI\xfb' ? 'qcow2' : 'raw';
  } finally {
    closeSync(file);
  }
}
