import { readFile, readlink } from 'node:fs/promises';
import { cpus, hostname, release, totalmem } from 'node:os';
import { openDocker } from '../executors/container/docker.ts';
import type { Conditions } from '../findings/findings.ts';
import { withDeadline } from '../system/deadline.ts';

/** An engine that takes longer isn't waited for: conditions are a record, not a need. */
const ENGINE_MS = 1000;
const CPU_FOLDER = '/sys/devices/system/cpu';

/**
 * The machine as it is found: what a reader of the result needs to judge or repeat it. Whatever can't be read (in a virtual machine,
 * without rights, without Docker) is null; never throws. Holds no personal data beyond the host's name: no serial numbers, users, addresses.
 */
export async function readConditions(): Promise<Conditions> {
  const [machine, cpu, os, governor, turbo, virtualization, docker] = await Promise.all([
    readMachine(),
    readCpu(),
    readOs(),
    readFirst(`${CPU_FOLDER}/cpu0/cpufreq/scaling_governor`),
    readTurbo(),
    readVirtualization(),
    readDocker(),
  ]);
  return {
    hostname: hostname(),
    machine,
    cpu,
    cpu_count: cpus().length,
    memory_bytes: totalmem(),
    kernel: release(),
    os,
    governor,
    turbo,
    virtualization,
    node: process.version,
    docker,
  };
}

async function readMachine(): Promise<string | null> {
  const [vendor, product] = await Promise.all([
    readFirst('/sys/class/dmi/id/sys_vendor'),
    readFirst('/sys/class/dmi/id/product_name'),
  ]);
  const parts = [vendor, product].filter((part) => part !== null);
  // Boards without DMI, such as a Raspberry Pi, name themselves in the device tree.
  return parts.length > 0 ? parts.join(' ') : readFirst('/proc/device-tree/model');
}

async function readCpu(): Promise<string | null> {
  const cpuinfo = await readText('/proc/cpuinfo');
  return cpuinfo?.match(/^(?:model name|Model)\s*:\s*(.+)$/m)?.[1]?.trim() ?? cpus()[0]?.model.trim() ?? null;
}

async function readOs(): Promise<string | null> {
  const text = (await readText('/etc/os-release')) ?? (await readText('/usr/lib/os-release'));
  return text?.match(/^PRETTY_NAME=(["']?)(.*)\1$/m)?.[2] ?? null;
}

/** Whether the processor may exceed its base frequency. */
async function readTurbo(): Promise<boolean | null> {
  const noTurbo = await readFirst(`${CPU_FOLDER}/intel_pstate/no_turbo`);
  if (noTurbo !== null) return noTurbo === '0';
  const boost =
    (await readFirst(`${CPU_FOLDER}/cpufreq/boost`)) ?? (await readFirst(`${CPU_FOLDER}/cpu0/cpufreq/boost`));
  return boost === null ? null : boost === '1';
}

/** PROC_PID_INIT_INO of the kernel. */
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
async function readVirtualization(): Promise<string | null> {
  const [hypervisor, container] = await Promise.all([readHypervisor(), readContainer()]);
  if (container === null) return hypervisor;
  return hypervisor === null || hypervisor === 'none' ? container : `${hypervisor}, ${container}`;
}

async function readHypervisor(): Promise<string | null> {
  const flags = (await readText('/proc/cpuinfo'))?.match(/^flags\s*:(.*)$/m)?.[1];
  // Amazon's bare machines name themselves as its virtual ones do; the processor's flag tells them apart, where it has flags (x86).
  if (flags !== undefined && !/\bhypervisor\b/.test(flags)) return 'none';
  const machine = (await readMachine()) ?? '';
  const name = VENDORS.find(([pattern]) => pattern.test(machine))?.[1];
  return name ?? (flags === undefined ? null : 'unknown hypervisor');
}

async function readContainer(): Promise<string | null> {
  // A virtual machine made from an image may have the marker file too: only a container has its own process namespace.
  if ((await readlink('/proc/self/ns/pid').catch(() => FIRST_PID_NAMESPACE)) === FIRST_PID_NAMESPACE) return null;
  const [docker, podman] = await Promise.all([readText('/.dockerenv'), readText('/run/.containerenv')]);
  if (docker !== null) return 'docker container';
  return podman === null ? 'container' : 'podman container';
}

/** The part of the engine's description of itself that is recorded. */
interface EngineInfo {
  readonly ServerVersion?: string;
  readonly Driver?: string;
  readonly Plugins?: { readonly Network?: readonly string[] };
  readonly CgroupDriver?: string;
  readonly CgroupVersion?: string;
}

async function readDocker(): Promise<Conditions['docker']> {
  try {
    // Its options are newer than the library's types.
    const info = await withDeadline(
      (abortSignal) => openDocker().info({ abortSignal } as never) as unknown as Promise<EngineInfo>,
      ENGINE_MS,
    );
    return {
      version: info.ServerVersion ?? null,
      storage_driver: info.Driver ?? null,
      network_driver: info.Plugins?.Network?.includes('bridge') ? 'bridge' : null,
      cgroup: info.CgroupVersion ? `v${info.CgroupVersion} (${info.CgroupDriver})` : (info.CgroupDriver ?? null),
    };
  } catch {
    return null;
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return null;
  }
}

/** A file's text without its line's end (and the NUL of the device tree); null when it is empty or can't be read. */
async function readFirst(path: string): Promise<string | null> {
  return (await readText(path))?.replace(/[\0\s]+$/, '') || null;
}
