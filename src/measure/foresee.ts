import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { MeterInfo } from '../contracts/reading.ts';
import { JoulediffError, MeasureError, messageOf } from '../errors.ts';
import { workloadEnvironment } from '../executors/environment.ts';
import type { Foreseen } from '../executors/kind.ts';
import { checkStart } from '../executors/native/program.ts';
import { foreseePlace, isOnHost, type Variant } from '../executors/registry.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { machineOf } from '../hosts/address.ts';
import { checkOutputFolder } from '../system/output-folder.ts';
import { listed } from '../text/plain.ts';
import type { Targets } from '../tuning/targets.ts';
import { planTuning } from '../tuning/tuning.ts';
import { foreseeMachine } from './foresee-machines.ts';
import { checkGuards } from './guards.ts';
import { namedMachines } from './machines.ts';
import { MeterSet } from './meter-set.ts';
import { checkPins, pinnedProcessors } from './pins.ts';
import { checkRemoteChannels, checkRemoteMeters } from './remote.ts';
import { meterPauses } from './rests.ts';
import { checkPorts, neededPorts } from './service-places.ts';
import { vaultPlaces } from './vault.ts';

/** Result of one inspection before anything is measured. */
export interface Foresight {
  /** `meter`, `variant alpine`, `disk`. */
  readonly what: string;
  readonly found: Foreseen | JoulediffError;
  /** The meters that answered. */
  readonly infos?: readonly MeterInfo[];
}

const LITTLE_BYTES = 2 ** 30;

/**
 * Inspects everything about an experiment that can be known before it starts: its meters, the places of its variants, the disk. Starts and changes
 * nothing. Never throws for what is wrong: that is in the list. `targets`: machine settings that `quiet` changes; absent: this machine's own.
 */
export async function foresee(experiment: Experiment, outDir: string, targets?: Targets): Promise<Foresight[]> {
  const infos: MeterInfo[] = [];
  const meter = await attempt(() => foreseeMeters(experiment, infos));
  const seen: Foresight[] = [{ what: 'meter', found: meter, infos }];
  for (const variant of experiment.variants.filter(({ hidden }) => !hidden)) {
    const found = await attempt(
      async () => foreseeRemote(experiment, variant) ?? foreseePlace(variant, experiment.passEnv),
    );
    if (found !== null) seen.push({ what: `variant ${variant.name}`, found });
    const start = await attempt(async () => foreseeStart(experiment, variant));
    if (start !== null) seen.push({ what: `variant ${variant.name}`, found: start });
  }
  for (const address of namedMachines(experiment)) {
    seen.push({
      what: `machine ${machineOf(address)}`,
      found: await attempt(() => foreseeMachine(address, experiment)),
    });
  }
  const ports = await attempt(async () => foreseePorts(experiment));
  if (ports !== null) seen.push({ what: 'ports', found: ports });
  const pins = await attempt(async () => foreseePins(experiment));
  if (pins !== null) seen.push({ what: 'processors', found: pins });
  const tuned = await attempt(async () => foreseeTuning(experiment, targets));
  if (tuned !== null) seen.push({ what: 'settings', found: tuned });
  seen.push({ what: 'disk', found: await attempt(() => foreseeDisk(experiment, outDir)) });
  return seen;
}

/** Says that an image on another machine can't be looked for: this machine's engine tells nothing about it. Null: the variant has none there. */
function foreseeRemote({ host }: Experiment, variant: Variant): Foreseen | null {
  if (host === undefined || isOnHost(variant)) return null;
  return { state: 'warn', text: `whether ${host} has its image is seen when the experiment begins` };
}

/** Looks for the program of a variant that starts on this machine from its files as they are now. Throws where it is missing; else null. */
function foreseeStart({ host, directory, passEnv, hooks }: Experiment, variant: Variant): null {
  const { workload, revision } = variant;
  if (!isOnHost(variant) || host !== undefined || (revision ?? hooks?.['before-all'])) return null;
  const env = { ...workloadEnvironment(process.env, passEnv).inherited, ...workload.env };
  checkStart(variant, resolve(directory, workload.workdir ?? '.'), env);
  return null;
}

async function attempt<F extends Foreseen | null>(at: () => Promise<F>): Promise<F | JoulediffError> {
  try {
    return await at();
  } catch (error) {
    return error instanceof JoulediffError ? error : new MeasureError(messageOf(error), { cause: error });
  }
}

async function foreseeMeters(experiment: Experiment, infos: MeterInfo[]): Promise<Foreseen> {
  checkRemoteMeters(experiment);
  await using meters = await MeterSet.open(experiment.meters);
  infos.push(...meters.infos);
  checkRemoteChannels(experiment, meters.infos);
  checkGuards(meterPauses(experiment, meters.infos), meters.infos);
  const named = (infos: readonly MeterInfo[]) =>
    listed(infos.map(({ type, address }) => (address === null ? type : `${type} at ${address}`)));
  const { infos: all } = meters;
  const others = all.filter(({ source }) => source !== 'measured');
  const sources = listed([...new Set(others.map(({ source }) => source))]);
  const whose =
    others.length < all.length
      ? `the numbers of ${named(others)} are`
      : `${all.length === 1 ? 'its' : 'their'} numbers are`;
  return {
    state: others.length > 0 ? 'warn' : 'ok',
    text:
      meters.chosen ??
      `${named(all)} ${all.length === 1 ? 'answers' : 'answer'}${others.length === 0 ? '' : `, but ${whose} ${sources}, not measured`}`,
  };
}

/** Checks the ports that services need; null: none is known. */
function foreseePorts(experiment: Experiment): Foreseen | null {
  const ports = neededPorts(experiment);
  if (ports.length === 0) return null;
  checkPorts(experiment);
  return { state: 'ok', text: `nothing listens on ${listed(ports.map(String))} yet` };
}

/** Checks that processors and nice values can be set; null: there is nothing to say. */
function foreseePins(experiment: Experiment): Foreseen | null {
  checkPins(experiment);
  const pins = Object.entries(experiment.pins ?? {});
  const texts = pins.map(([who, { cpus, nice }]) => {
    const at = [cpus === null ? null : `on ${cpus}`, nice === null ? null : `with nice ${nice}`];
    return `${who} ${at.filter((text) => text !== null).join(' ')}`;
  });
  return texts.length === 0 ? null : { state: 'ok', text: texts.join(', ') };
}

/** Checks the machine settings that `quiet` changes; null: nothing is set. */
function foreseeTuning(experiment: Experiment, targets: Targets | undefined): Foreseen | null {
  if (experiment.quiet === undefined) return null;
  const { changes, absent } = planTuning({ names: experiment.quiet, pinned: pinnedProcessors(experiment), targets });
  const names = listed([...new Set(changes.map(({ setting }) => setting))]);
  const texts = [
    names !== '' ? `${names} will be set and put back` : absent.length === 0 ? 'nothing has to be set' : null,
    absent.length === 0 ? null : `this machine can't set ${listed(absent)}`,
  ];
  return { state: absent.length === 0 ? 'ok' : 'warn', text: texts.filter((text) => text !== null).join('; ') };
}

/** Checks the free space where the result is kept while it is measured, and where it goes later: the smaller one counts. */
async function foreseeDisk(experiment: Experiment, outDir: string): Promise<Foreseen> {
  checkOutputFolder(outDir);
  const [vault = outDir] = vaultPlaces({ experiment, outDir });
  const rooms = await Promise.all([outDir, vault].map(roomAround));
  const { folder, bytes } = rooms.reduce((least, room) => (room.bytes < least.bytes ? room : least));
  const gib = bytes / 2 ** 30;
  return { state: bytes < LITTLE_BYTES ? 'warn' : 'ok', text: `${gib.toFixed(1)} GiB are free in ${folder}` };
}

async function roomAround(path: string): Promise<{ folder: string; bytes: number }> {
  let folder = path;
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  return { folder, bytes: bavail * bsize };
}
