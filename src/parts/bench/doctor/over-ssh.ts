import * as z from 'zod';
import { MeasureError } from '../../../errors.ts';
import { bringPrinted, textOf } from '../../../executors/remote/machine.ts';
import { Connection } from '../../../hosts/connection.ts';
import { CONDITIONS, RemoteFiles } from '../../../hosts/files.ts';
import { HOLDER, holderIn } from '../../../hosts/holder.ts';
import { HelperError } from '../../../hosts/link.ts';
import { busiest, processTimes } from '../../../machine/busy.ts';
import { kernelMessages } from '../../../machine/kernel-log.ts';
import { nowNs, secondsToNs, sleepUntil } from '../../../system/clock.ts';
import { processorTimes } from '../../../system/cpu-times.ts';
import type { Engine, Patient, Trouble } from './examination.ts';
import { askMeter, once } from './this-machine.ts';

/** Sampling time needed to detect 5 % load on one processor, seconds. */
const LOAD_S = 1;
const PROGRAM_S = 5;
const MAX_PRINTED_BYTES = 1_000_000;

const CPUS = '/sys/devices/system/cpu';
const WORK = { patterns: ['/proc/stat', '/proc/uptime', '/proc/[0-9]*/stat'], links: ['/proc/self'] };
const FILES = {
  patterns: [
    ...CONDITIONS.patterns,
    ...['/proc/cmdline', '/proc/swaps', '/etc/group', '/etc/fstab'],
    ...HOLDER.patterns,
    ...['intel_pstate/no_turbo', 'cpufreq/boost', 'cpu0/cpufreq/boost', 'smt/control', 'smt/active'].map(
      (name) => `${CPUS}/${name}`,
    ),
    ...['*_freq', 'bios_limit'].map((name) => `${CPUS}/cpufreq/policy*/${name}`),
    ...['name', 'disable'].map((name) => `${CPUS}/cpu[0-9]*/cpuidle/state*/${name}`),
    `${CPUS}/cpu[0-9]*/thermal_throttle/*_throttle_count`,
    `${CPUS}/vulnerabilities/*`,
    ...['name', 'temp*_input', 'temp*_label'].map((name) => `/sys/class/hwmon/hwmon*/${name}`),
    ...['type', 'temp'].map((name) => `/sys/class/thermal/thermal_zone*/${name}`),
    '/sys/devices/system/clocksource/clocksource0/*_clocksource',
    '/sys/devices/platform/soc/soc:firmware/get_throttled',
    '/sys/fs/cgroup/cgroup.controllers',
  ],
  names: [
    ...['/sys/fs/cgroup/*', `${CPUS}/cpu[0-9]*`, '/run/systemd/*', '/run/docker.sock', '/etc/cron.*/*'],
    ...['/run/systemd/timesync/synchronized', ...HOLDER.names],
    ...['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/snap/bin', '/opt/bin'].map(
      (folder) => `${folder}/*dockerd`,
    ),
  ],
  links: CONDITIONS.links ?? [],
};
/** Another machine, as seen by the connection's user. Only the meter is on this machine. */
export interface RemotePatient extends AsyncDisposable {
  readonly patient: Patient;
  /** Throws MeasureError if the connection was lost meanwhile, which invalidates the findings. */
  check(): void;
}

/** Connects to the machine. `meterName`: a meter connected here; null: none. Throws MeasureError or the signal's reason; leaves nothing there. */
export async function overSsh(address: string, meterName: string | null, signal: AbortSignal): Promise<RemotePatient> {
  const connection = await Connection.open(address, signal);
  const stop = () => connection.drop('it was stopped');
  signal.addEventListener('abort', stop, { once: true });
  const close = async () => {
    signal.removeEventListener('abort', stop);
    await connection.close();
  };
  try {
    const files = await RemoteFiles.read(connection, FILES);
    const paths = ['/var/tmp', '/var/lib/docker'];
    const { free, log, ...person } = await connection.ask('about', { paths });
    const output = oneByOne((program: string, args: readonly string[]) => runRemotely(connection, program, args));
    const patient: Patient = {
      host: address,
      files,
      person,
      engineAddress: null,
      output,
      load: () => readLoad(connection, signal),
      engine: once(() => askEngine(output)),
      meter: once(async () => (meterName === null ? null : askMeter(meterName))),
      freeBytes: (path) => free[path] ?? null,
      kernelMessages: () => (log === null ? null : kernelMessages(log)),
      kvm: async () => null,
      busyWith: () => holderIn(files),
    };
    const check = () => {
      signal.throwIfAborted();
      if (connection.isLost) throw new MeasureError(`The connection to ${address} was lost in the examination.`);
    };
    return { patient, check, [Symbol.asyncDispose]: close };
  } catch (thrown) {
    await close();
    signal.throwIfAborted();
    throw thrown;
  }
}

/** Serializes calls, because the helper runs one program at a time. */
function oneByOne<A extends readonly unknown[], T>(ask: (...given: A) => Promise<T>): (...given: A) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (...given) => {
    const answer = last.then(() => ask(...given));
    last = answer.catch(() => {});
    return answer;
  };
}

async function runRemotely(connection: Connection, program: string, args: readonly string[]): Promise<string | null> {
  const asked = {
    // The helper combines stdout and stderr, so stderr is dropped.
    argv: ['sh', '-c', 'exec "$@" 2>/dev/null', 'sh', program, ...args],
    cwd: '/',
    env: {},
    timeout: PROGRAM_S,
    most: MAX_PRINTED_BYTES,
    ends_others: true,
  };
  try {
    const { exit_code: exitCode, timed_out: isLate } = await connection.ask('run', asked);
    if (exitCode !== 0 || isLate) return null;
    return textOf(await bringPrinted({ connection }, MAX_PRINTED_BYTES));
  } catch (thrown) {
    if (thrown instanceof HelperError) return null;
    throw thrown;
  }
}

/** Load by that machine's own clock, without the helper's own work. */
async function readLoad(connection: Connection, signal: AbortSignal): ReturnType<Patient['load']> {
  const before = await RemoteFiles.read(connection, WORK);
  await sleepUntil(nowNs() + secondsToNs(LOAD_S), signal);
  const after = await RemoteFiles.read(connection, WORK);
  const lengthS = uptimeS(after) - uptimeS(before);
  const helper = `proc/${after.link('/proc/self')}`;
  const [first, second] = [processTimes(before, ''), processTimes(after, '')];
  const ownS = (second.get(helper)?.seconds ?? 0) - (first.get(helper)?.seconds ?? 0);
  const busyS = busyIn(after) - busyIn(before) - ownS;
  if (!(lengthS > 0) || !Number.isFinite(busyS)) return null;
  second.delete(helper);
  return { processors: Math.max(0, busyS / lengthS), names: busiest(first, second, lengthS).slice(0, 3) };
}

const uptimeS = (files: RemoteFiles): number => Number(files.text('/proc/uptime')?.split(' ')[0] ?? Number.NaN);

const busyIn = (files: RemoteFiles): number => processorTimes(files.text('/proc/stat') ?? '')?.busyS ?? Number.NaN;

/** Queries the engine with the other machine's own client, as the logged-in user. */
async function askEngine(output: Patient['output']): Promise<Engine | Trouble> {
  const info = await output('docker', ['info', '--format', '{{json .}}']);
  const listed = await output('docker', ['ps', '--format', '{{.Names}}\t{{.Label "joulediff.experiment"}}']);
  const found = parsed(info ?? '');
  if (found === null || listed === null) {
    return { why: 'docker can’t be asked there, or isn’t installed', advice: null, code: 'ENOENT' };
  }
  return {
    version: found.ServerVersion ?? null,
    storageDriver: found.Driver ?? null,
    cgroupDriver: found.CgroupDriver ?? null,
    cgroupVersion: found.CgroupVersion ?? null,
    running: listed.split('\n').flatMap((line) => {
      const [name, ours = ''] = line.split('\t');
      return name && ours === '' ? [name] : [];
    }),
  };
}

const Info = z.looseObject({
  ServerVersion: z.string().optional(),
  Driver: z.string().optional(),
  CgroupDriver: z.string().optional(),
  CgroupVersion: z.string().optional(),
});

function parsed(json: string): z.output<typeof Info> | null {
  try {
    const { data = null } = Info.safeParse(JSON.parse(json));
    // A client without an engine answers too, but without ServerVersion.
    return data?.ServerVersion ? data : null;
  } catch {
    return null;
  }
}
