import type { Resource, ResourceComparison, Uncounted } from '../../findings/resources.ts';
import { changeOfAmount, fixed, short, significant, type Unit, unitFor, unitOfBytes } from '../../text/numbers.ts';

interface Words {
  /** Name of the resource in a sentence. */
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
  memory_full_stall_s: { name: 'time with everything stalled on memory', unit: 's' },
  io_stall_s: { name: 'time waiting for I/O', unit: 's' },
  io_full_stall_s: { name: 'time with everything stalled on I/O', unit: 's' },
  switches_above_idle: { name: 'context switches above idle', unit: 'count' },
  services_cpu_s: { name: 'processor time of the services', unit: 's' },
  services_peak_memory_bytes: { name: 'peak memory of the services, summed', unit: 'bytes' },
  services_read_bytes: { name: 'bytes that the services read from disks', unit: 'bytes' },
  services_written_bytes: { name: 'bytes that the services wrote to disks', unit: 'bytes' },
  services_received_bytes: { name: 'bytes that the services received', unit: 'bytes' },
  services_sent_bytes: { name: 'bytes that the services sent', unit: 'bytes' },
  client_cpu_s: { name: 'processor time of the client, on its own machine', unit: 's' },
  engine_cpu_s: { name: 'processor time of the engine', unit: 's' },
  engine_switches: { name: 'context switches of the engine', unit: 'count' },
  machine_context_switches: { name: 'context switches of the machine', unit: 'count' },
  machine_received_bytes: { name: 'bytes that the machine received', unit: 'bytes' },
  machine_sent_bytes: { name: 'bytes that the machine sent', unit: 'bytes' },
  machine_cpu_stall_s: { name: 'time waiting for a processor, whole machine', unit: 's' },
  machine_memory_stall_s: { name: 'time waiting for memory, whole machine', unit: 's' },
  machine_memory_full_stall_s: { name: 'time with everything stalled on memory, whole machine', unit: 's' },
  machine_io_stall_s: { name: 'time waiting for I/O, whole machine', unit: 's' },
  machine_io_full_stall_s: { name: 'time with everything stalled on I/O, whole machine', unit: 's' },
  mean_frequency_hz: { name: 'mean processor frequency', unit: 'Hz' },
  frequency_after_hz: { name: 'processor frequency just after the window', unit: 'Hz' },
  temperature_after_c: { name: 'processor temperature just after the window', unit: '°C' },
};

export const resourceName = (resource: Resource): string => RESOURCES[resource].name;

const OF_HERTZ: readonly Unit[] = [
  { unit: 'GHz', size: 1e9 },
  { unit: 'MHz', size: 1e6 },
  { unit: 'kHz', size: 1e3 },
];

/** The best unit for amounts up to `most`. */
function unitOf(resource: Resource, most: number): Unit {
  const { unit } = RESOURCES[resource];
  if (unit === 'bytes') return unitOfBytes(most);
  if (unit === 'count') return { unit: '', size: 1 };
  if (unit === 'Hz') return OF_HERTZ.find(({ size }) => most >= size) ?? { unit, size: 1 };
  return unitFor(most, unit);
}

function numberText(resource: Resource, number: number): string {
  const { unit } = RESOURCES[resource];
  if (unit === 'bytes') return short(number);
  if (unit === '°C') return fixed(number, 1);
  // A mean of a few events per run has a fraction.
  if (unit === 'count') return Math.abs(number) >= 10 ? fixed(number, 0) : short(number, 2);
  return significant(number, 3);
}

/** `12.4 s`, `3.1 MiB`, `51,204`. */
export function amountText(resource: Resource, amount: number): string {
  const { unit, size } = unitOf(resource, Math.abs(amount));
  return `${numberText(resource, amount / size)} ${unit}`.trimEnd();
}

type Means = Pick<ResourceComparison, 'resource' | 'baseline_mean' | 'variant_mean'>;

/** `1.20 → 1.60 s`: means of the baseline and of the variant. */
export function meansText({ resource, baseline_mean: from, variant_mean: to }: Means): string {
  const { unit, size } = unitOf(resource, Math.max(Math.abs(from), Math.abs(to)));
  return `${numberText(resource, from / size)} → ${numberText(resource, to / size)} ${unit}`.trimEnd();
}

type Difference = Pick<ResourceComparison, 'resource' | 'difference' | 'ci95'>;

/** `+0.400 s` and `+0.380 to +0.420`. */
export const differenceOf = ({ resource, difference, ci95 }: Difference): ReturnType<typeof changeOfAmount> =>
  changeOfAmount(difference, ci95, (most) => unitOf(resource, most));

/** `system time 1.20 → 1.60 s (+0.380 to +0.420 s)`: means of the baseline and of the variant, and the interval of the difference. */
export function clearText(of: ResourceComparison): string {
  const means = `${resourceName(of.resource)} ${meansText(of)}`;
  const { ci95 } = of;
  if (ci95 === null) return means;
  const { unit } = unitOf(of.resource, Math.max(...ci95.map(Math.abs)));
  return `${means} (${`${differenceOf(of).interval} ${unit}`.trimEnd()})`;
}

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
