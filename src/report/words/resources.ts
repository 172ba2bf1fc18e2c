import type { Resource, ResourceComparison, Uncounted } from '../../findings/resources.ts';
import { bytes, fixed, quantity } from '../../text/numbers.ts';

interface Words {
  /** In a sentence. */
  readonly name: string;
  readonly unit: 's' | 'bytes' | 'count' | 'Hz' | '°C';
}

const RESOURCES: Readonly<Record<Resource, Words>> = {
  cpu_s: { name: 'processor time', unit: 's' },
  user_s: { name: 'user time', unit: 's' },
  system_s: { name: 'system time', unit: 's' },
  peak_memory_bytes: { name: 'peak memory', unit: 'bytes' },
  read_bytes: { name: 'bytes read from disks', unit: 'bytes' },
  written_bytes: { name: 'bytes written to disks', unit: 'bytes' },
  received_bytes: { name: 'bytes received', unit: 'bytes' },
  sent_bytes: { name: 'bytes sent', unit: 'bytes' },
  minor_faults: { name: 'minor page faults', unit: 'count' },
  major_faults: { name: 'major page faults', unit: 'count' },
  throttled_s: { name: 'throttled time', unit: 's' },
  guest_cpu_s: { name: 'processor time by the guest’s own account', unit: 's' },
  cpu_stall_s: { name: 'time waiting for a processor', unit: 's' },
  memory_stall_s: { name: 'time waiting for memory', unit: 's' },
  memory_full_stall_s: { name: 'time with everything waiting for memory', unit: 's' },
  io_stall_s: { name: 'time waiting for I/O', unit: 's' },
  io_full_stall_s: { name: 'time with everything waiting for I/O', unit: 's' },
  switches_above_idle: { name: 'context switches above idle', unit: 'count' },
  services_cpu_s: { name: 'processor time of the services', unit: 's' },
  services_peak_memory_bytes: { name: 'peak memory of the services, summed', unit: 'bytes' },
  services_read_bytes: { name: 'bytes that the services read from disks', unit: 'bytes' },
  services_written_bytes: { name: 'bytes that the services wrote to disks', unit: 'bytes' },
  services_received_bytes: { name: 'bytes that the services received', unit: 'bytes' },
  services_sent_bytes: { name: 'bytes that the services sent', unit: 'bytes' },
  client_cpu_s: { name: 'processor time of the client, on its own machine', unit: 's' },
  machine_context_switches: { name: 'context switches of the machine', unit: 'count' },
  machine_received_bytes: { name: 'bytes that the machine received', unit: 'bytes' },
  machine_sent_bytes: { name: 'bytes that the machine sent', unit: 'bytes' },
  machine_cpu_stall_s: { name: 'time waiting for a processor, whole machine', unit: 's' },
  machine_memory_stall_s: { name: 'time waiting for memory, whole machine', unit: 's' },
  machine_memory_full_stall_s: { name: 'time with everything waiting for memory, whole machine', unit: 's' },
  machine_io_stall_s: { name: 'time waiting for I/O, whole machine', unit: 's' },
  machine_io_full_stall_s: { name: 'time with everything waiting for I/O, whole machine', unit: 's' },
  mean_frequency_hz: { name: 'mean processor frequency', unit: 'Hz' },
  frequency_after_hz: { name: 'processor frequency just after the window', unit: 'Hz' },
  temperature_after_c: { name: 'processor temperature just after the window', unit: '°C' },
};

export const resourceName = (resource: Resource): string => RESOURCES[resource].name;

/** `12.4 s`, `3.1 MiB`, `51,204`. */
export function amountText(resource: Resource, amount: number): string {
  const { unit } = RESOURCES[resource];
  if (unit === 'bytes') return amount < 0 ? `−${bytes(-amount)}` : bytes(amount);
  if (unit === 'count') return Math.round(amount).toLocaleString('en-US').replace('-', '−');
  if (unit === '°C') return `${fixed(amount, 1)} °C`;
  return quantity(amount, unit, 3);
}

/** `+0.31 s`. */
export const differenceText = (resource: Resource, amount: number): string =>
  `${amount > 0 ? '+' : ''}${amountText(resource, amount)}`;

/** `system time 1.20 s → 1.60 s (+0.380 s to +0.420 s)`: means of the baseline and of the variant, and the interval of the difference. */
export function clearText({ resource, baseline_mean: from, variant_mean: to, ci95 }: ResourceComparison): string {
  const means = `${resourceName(resource)} ${amountText(resource, from)} → ${amountText(resource, to)}`;
  return ci95 === null ? means : `${means} (${intervalText(resource, ci95)})`;
}

/** `+0.380 s to +0.420 s`. */
export const intervalText = (resource: Resource, [low, high]: readonly [number, number]): string =>
  `${differenceText(resource, low)} to ${differenceText(resource, high)}`;

export const UNCOUNTED: Readonly<Record<Uncounted, string>> = {
  'not-counted': 'the kernel doesn’t count it here',
  'not-allowed': 'reading it takes rights that joulediff doesn’t have',
  gone: 'the accounts were gone before they could be read',
  'shared-network': 'the network is the host’s, and is counted for the whole machine only',
  'client-network': 'the services share the network of the command, whose bytes include theirs',
  'shared-group': 'the run has no control group of its own in version 2',
  'outlives-run': 'a service runs as long as the experiment, and its peak may be of another run',
  'no-memory-group': 'there is no control group of its own that counts memory',
  'no-sensor': 'there is no sensor for it',
};
