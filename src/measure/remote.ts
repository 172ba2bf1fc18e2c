import { hostname } from 'node:os';
import Docker from 'dockerode';
import type { ChannelInfo, MeterInfo } from '../contracts/reading.ts';
import { InputError } from '../errors.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { Conditions } from '../findings/conditions.ts';
import { CONDITIONS, RemoteFiles } from '../hosts/files.ts';
import type { RemoteHost } from '../hosts/host.ts';
import { machineName, processorName, systemName, virtualization } from '../machine/identity.ts';
import { governors, turbo } from '../machine/processors.ts';
import { ownMachineMeters } from '../meters/registry.ts';
import { readDocker } from './conditions.ts';

/** Throws InputError for meters that can only measure the machine they are read on, where another one is measured. */
export function checkRemoteMeters({ host, meters }: Pick<Experiment, 'host' | 'meters'>): void {
  if (host === undefined) return;
  const [own] = ownMachineMeters(meters);
  if (own === undefined) return;
  throw new InputError(`${own} measures this machine, but the workload runs on ${host}.`, {
    advice: 'Name a meter that is connected here and sits in the power line of that machine.',
  });
}

/** Throws InputError for counters, where another machine is measured: its clock tells only afterwards when they should have been read. */
export function checkRemoteChannels({ host }: Pick<Experiment, 'host'>, meters: readonly MeterInfo[]): void {
  if (host === undefined) return;
  const isCounter = ({ integration }: ChannelInfo): boolean => integration === 'counter';
  const counter = meters.find(({ channels }) => channels.some(isCounter));
  if (counter === undefined) return;
  throw new InputError(
    `${counter.type} counts energy, and is read where windows begin and end, which ${host} tells only afterwards.`,
    { advice: 'With host, name a meter that gives watts.' },
  );
}

/** Reads the conditions of another machine, as `readConditions` does for this one. Throws HostLostError. */
export async function readRemoteConditions(host: RemoteHost): Promise<Conditions> {
  const { engineSocket } = host.connection;
  const files = await RemoteFiles.read(host.connection, CONDITIONS);
  const memory = /^MemTotal:\s+(\d+) kB/m.exec(files.text('/proc/meminfo') ?? '')?.[1];
  return {
    hostname: files.text('/proc/sys/kernel/hostname') ?? host.address,
    machine: machineName(files),
    cpu: processorName(files),
    cpu_count: (files.text('/proc/cpuinfo')?.match(/^processor\s*:/gm) ?? []).length,
    memory_bytes: 1024 * Number(memory ?? 0),
    kernel: files.text('/proc/sys/kernel/osrelease') ?? 'unknown',
    os: systemName(files),
    governor: governors(files).join(', ') || null,
    turbo: turbo(files)?.on ?? null,
    virtualization: virtualization(files),
    node: process.version,
    docker: engineSocket === null ? null : await readDocker(new Docker({ socketPath: engineSocket })),
    measured_from: hostname(),
  };
}
