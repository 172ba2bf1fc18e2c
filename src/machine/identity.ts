import type { MachineFiles } from './files.ts';

/** Vendor and product of the machine; null where nothing names it. */
export function machineName(files: MachineFiles): string | null {
  const parts = ['sys_vendor', 'product_name'].flatMap((name) => files.text(`sys/class/dmi/id/${name}`) ?? []);
  // Boards without DMI, such as a Raspberry Pi, name themselves in the device tree.
  return parts.length > 0 ? parts.join(' ') : files.text('proc/device-tree/model');
}

export function processorName(files: MachineFiles): string | null {
  return (
    files
      .text('proc/cpuinfo')
      ?.match(/^(?:model name|Model)\s*:\s*(.+)$/m)?.[1]
      ?.trim() ?? null
  );
}

export function systemName(files: MachineFiles): string | null {
  const text = files.text('etc/os-release') ?? files.text('usr/lib/os-release');
  return text?.match(/^PRETTY_NAME=(["']?)(.*)\1$/m)?.[2] ?? null;
}

/** Name of the initial pid namespace (PROC_PID_INIT_INO of the kernel). */
const FIRST_PID_NAMESPACE = 'pid:[4026531836]';

const VENDORS: readonly [pattern: RegExp, name: string][] = [
  [/amazon ec2|firecracker/i, 'amazon'],
  [/qemu|kvm|red hat|rhev|openstack|proxmox/i, 'kvm'],
  [/vmware/i, 'vmware'],
  [/virtualbox|innotek/i, 'virtualbox'],
  [/microsoft.*virtual/i, 'hyper-v'],
  [/google compute engine/i, 'google'],
  [/xen|hvm domu/i, 'xen'],
  [/parallels/i, 'parallels'],
  [/bhyve/i, 'bhyve'],
];

/** What this machine is a guest of, outermost first: a hypervisor, a container, both; `none` on bare metal, null where it can't be told. */
export function virtualization(files: MachineFiles): string | null {
  const guestOf = hypervisor(files);
  const within = container(files);
  if (within === null) return guestOf;
  return guestOf === null || guestOf === 'none' ? within : `${guestOf}, ${within}`;
}

/** Hypervisor that this machine is a guest of; `none` on bare metal, null where it can't be told. */
export function hypervisor(files: MachineFiles): string | null {
  const flags = files.text('proc/cpuinfo')?.match(/^flags\s*:(.*)$/m)?.[1];
  // Amazon's bare machines name themselves as its virtual ones do; the processor's flag tells them apart, where it has flags (x86).
  if (flags !== undefined && !/\bhypervisor\b/.test(flags)) return 'none';
  const machine = machineName(files) ?? '';
  const name = VENDORS.find(([pattern]) => pattern.test(machine))?.[1];
  return name ?? (flags === undefined ? null : 'unknown hypervisor');
}

/** Kind of container that this process is in; null: none, or it can't be told. */
export function container(files: MachineFiles): string | null {
  // A virtual machine made from an image may have the marker file too: only a container has its own process namespace.
  if ((files.link('proc/self/ns/pid') ?? FIRST_PID_NAMESPACE) === FIRST_PID_NAMESPACE) return null;
  if (files.entries('', /^\.dockerenv$/).length > 0) return 'docker container';
  return files.entries('run', /^\.containerenv$/).length > 0 ? 'podman container' : 'container';
}
