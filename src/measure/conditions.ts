import { cpus, hostname, release, totalmem } from 'node:os';
import type Docker from 'dockerode';
import { openDocker } from '../executors/container/docker.ts';
import type { Conditions, MadeSetting } from '../findings/conditions.ts';
import { MachineFiles } from '../machine/files.ts';
import { machineName, processorName, systemName, virtualization } from '../machine/identity.ts';
import { governors, turbo } from '../machine/processors.ts';
import { withDeadline } from '../system/deadline.ts';

/** Time limit for an engine's answer: conditions are a record, and worth no long wait. */
const ENGINE_MS = 1000;

/**
 * The machine as it is found, `made` having been set: what a reader of the result needs to judge or repeat it. Whatever can't be read (in a virtual machine,
 * without rights, without Docker) is null; never throws. Holds no personal data beyond the host's name: no serial numbers, users, addresses.
 */
export async function readConditions(
  made: readonly MadeSetting[] = [],
  files = new MachineFiles(),
): Promise<Conditions> {
  const docker = await readDocker();
  return {
    hostname: hostname(),
    machine: machineName(files),
    cpu: processorName(files) ?? cpus()[0]?.model.trim() ?? null,
    cpu_count: cpus().length,
    memory_bytes: totalmem(),
    kernel: release(),
    os: systemName(files),
    governor: governors(files).join(', ') || null,
    turbo: turbo(files)?.on ?? null,
    virtualization: virtualization(files),
    node: process.version,
    docker,
    ...(made.length > 0 && { set: made }),
  };
}

/** The part of the engine's description of itself that is recorded. */
interface EngineInfo {
  readonly ServerVersion?: string;
  readonly Driver?: string;
  readonly Plugins?: { readonly Network?: readonly string[] };
  readonly CgroupDriver?: string;
  readonly CgroupVersion?: string;
}

/** An engine's description of itself; null: it gave none in time. */
export async function readDocker(docker?: Docker): Promise<Conditions['docker']> {
  try {
    // The options of this request are newer than the library's types.
    const info = await withDeadline(
      (abortSignal) => (docker ?? openDocker()).info({ abortSignal } as never) as unknown as Promise<EngineInfo>,
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
