import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { InputError, Stopped } from '../../../errors.ts';
import { readDescription } from '../../../meters/described/description.ts';
import { emulateDescribed } from '../../../meters/described/emulator.ts';
import { type EmulatorSettings, runEmulator } from '../../../meters/emulator/emulator.ts';
import { serveDevice } from '../../../meters/emulator/http-device.ts';
import { emulatedMachine } from '../../../meters/emulator/load.ts';
import { freePortName, openPty } from '../../../meters/emulator/pty.ts';
import { serveLine } from '../../../meters/emulator/tcp.ts';
import { suggest } from '../../../meters/name.ts';
import { emulatedDevices, emulatedTypes } from '../../../meters/registry.ts';
import { scpi } from '../../../meters/scpi/scpi.ts';
import { command } from '../../../terminal/command.ts';
import { numberOf } from '../../../terminal/options.ts';
import { stopSignal } from '../../../terminal/stop.ts';
import { atSpaces, printAnswer, type Terminal } from '../../../terminal/terminal.ts';

const WATTS = { minimum: 0, maximum: 5000, unit: 'watts' };
/** Maximum delay of a timer, ms: 24 days. */
const LONGEST_MS = 2 ** 31 - 1;
const TYPES = [...emulatedTypes, ...emulatedDevices].map(({ type }) => type);
const MODELS = [...emulatedTypes, ...emulatedDevices]
  .filter(({ models }) => models.length > 0)
  .map(({ type, models }) => `${type} ${models.join(', ')}`)
  .join('; ');
const SUMMARY = 'emulate a meter on a port of its own until Ctrl-C, to try joulediff without hardware';
const STEADY = 'constant power instead, whatever this machine does, as if plugged into the wrong outlet';

export function meterEmulateCommand(terminal: Terminal) {
  const watts = (option: string) => numberOf(option, WATTS);
  return command('emulate', SUMMARY)
    .argument('<TYPE>', `${TYPES.join(', ')}, or file:PATH of a description`)
    .option('--model <NAME>', `product, if a type has several protocols: ${MODELS}`)
    .option('--link <PATH>', 'path of a serial meter’s port (default: in the folder for temporary files)')
    .option(
      '--port <N>',
      'port of a network meter on this machine’s loopback (default: a free one)',
      numberOf('--port', { minimum: 1, maximum: 65_535, unit: '', whole: true }),
    )
    .option('--idle <W>', 'power of the emulated machine while this machine is idle, in watts', watts('--idle'), 40)
    .option('--load <W>', 'its power while all processors of this machine are busy, in watts', watts('--load'), 65)
    .option('--steady <W>', STEADY, watts('--steady'))
    .option('--noise <W>', 'standard deviation of the noise, in watts', watts('--noise'), 0.1)
    .option(
      '--latency <S>',
      'how late the readings are, in seconds',
      numberOf('--latency', { minimum: 0, maximum: 10, unit: 'seconds' }),
      0.2,
    )
    .option(
      '--seed <N>',
      'seed of the noise',
      numberOf('--seed', { minimum: 0, maximum: 1e9, unit: '', whole: true }),
      1,
    )
    .option(
      '--seconds <N>',
      'stop after N seconds',
      numberOf('--seconds', { minimum: 0.1, maximum: LONGEST_MS / 1000, unit: 'seconds' }),
    )
    .action(async (name, options) => {
      terminal.exitCode = await emulate(typeOf(name, options.model), options, terminal);
    });
}

interface EmulateOptions {
  readonly json?: true | undefined;
  readonly model?: string | undefined;
  readonly link?: string | undefined;
  readonly port?: number | undefined;
  readonly idle: number;
  readonly load: number;
  readonly steady?: number | undefined;
  readonly noise: number;
  readonly latency: number;
  readonly seed: number;
  readonly seconds?: number | undefined;
}

/** An emulated meter that drivers can open. */
interface Standing {
  /** Meter name for its driver. */
  readonly name: string;
  /** Environment variables that its name refers to. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Aborted when the connection of the emulator is lost. */
  readonly gone: AbortSignal;
  end(): Promise<void>;
}

type Stand = (settings: EmulatorSettings, options: EmulateOptions) => Promise<Standing>;

/** Runs an emulator and returns the exit code. */
async function emulate(stand: Stand, options: EmulateOptions, terminal: Terminal): Promise<number> {
  const { stdout, stderr } = terminal;
  const { seed, seconds } = options;
  const originNs = process.hrtime.bigint();
  const machine = emulatedMachine({
    idleW: options.idle,
    loadW: options.load,
    steadyW: options.steady ?? null,
    noiseW: options.noise,
    seed,
    originNs,
  });
  const signal = stopSignal({ stderr });
  try {
    const { power } = machine;
    const latencyNs = BigInt(Math.round(options.latency * 1e9));
    const settings = { energyJ: power.energyJ.bind(power), originNs, seed, latencyNs };
    const { name, env = {}, gone, end } = await stand(settings, options);
    if (options.json === true) printAnswer(terminal, 'meter emulate', { meter: name, env });
    else stdout.write(`${name}\n`);
    stderr.write(atSpaces(stderr, `That is the name of the emulated meter. ${machine.sentence}\n`));
    for (const [variable, value] of Object.entries(env)) {
      stderr.write(atSpaces(stderr, `Its driver needs: export ${variable}=${value}\n`));
    }
    stderr.write(`${seconds === undefined ? 'Press Ctrl-C to stop it.' : `It stops in ${seconds} s.`}\n`);
    await until(AbortSignal.any([signal, gone]), seconds);
    await end();
    if (signal.reason instanceof Stopped) return signal.reason.exitCode;
    if (!gone.aborted) return 0;
    stderr.write(`The port of ${name} is gone: the program behind it has ended.\n`);
    return 3;
  } finally {
    machine.stop();
  }
}

function typeOf(text: string, model: string | undefined): Stand {
  const path = text.startsWith('file:') ? text.slice('file:'.length) : null;
  const serial = emulatedTypes.find(({ type }) => type === text);
  const device = emulatedDevices.find(({ type }) => type === text);
  const models = path === null ? (serial ?? device)?.models : [];
  if (model !== undefined && models?.includes(model) === false) {
    throw new InputError(`There is no emulated ${text} of the model "${model}".`, { advice: suggest(model, models) });
  }
  if (path !== null) return (settings, options) => ofDescription(path, settings, options);
  if (serial) return (settings, options) => onPort(serial, settings, options);
  if (device) return (settings, options) => inNetwork(device, settings, options);
  throw new InputError(`There is no emulator for "${text}".`, { advice: suggest(text, TYPES) });
}

async function ofDescription(path: string, settings: EmulatorSettings, options: EmulateOptions): Promise<Standing> {
  const { description } = readDescription(path);
  const emulated = emulateDescribed(description, settings);
  const { name, ...standing } =
    'answer' in emulated
      ? await inNetwork({ type: 'file', emulateDevice: () => emulated }, settings, options)
      : await onPort({ type: 'file', emulate: () => emulated }, settings, options, description.tcp !== undefined);
  return { ...standing, name: `file:${path}?at=${name.slice('file:'.length)}` };
}

async function onPort(
  { type, emulate }: Pick<(typeof emulatedTypes)[number], 'type' | 'emulate'>,
  settings: EmulatorSettings,
  { link, port, model }: EmulateOptions,
  isOnNetwork = type === scpi.type && port !== undefined,
): Promise<Standing> {
  checkPlace(type, isOnNetwork, { link, port });
  if (isOnNetwork) {
    const served = await serveLine(emulate(settings, model), port ?? 0);
    return { name: `${type}:${served.address}`, gone: new AbortController().signal, end: served.close };
  }
  const pty = await openPty(link === undefined ? freePortName(type) : resolve(link));
  const gone = new AbortController();
  pty.onEnd(() => gone.abort());
  const end = runEmulator(emulate(settings, model), pty);
  return {
    name: `${type}:${pty.path}`,
    gone: gone.signal,
    end: () => {
      end();
      return pty.close();
    },
  };
}

function checkPlace(type: string, isOnNetwork: boolean, { link, port }: Pick<EmulateOptions, 'link' | 'port'>): void {
  if (isOnNetwork && link !== undefined)
    throw new InputError(`The meter ${type} is a network meter; --link is for meters on a serial port.`);
  if (!isOnNetwork && port !== undefined)
    throw new InputError(`The meter ${type} is on a serial port; --port is for network meters.`);
}

async function inNetwork(
  { type, emulateDevice }: Pick<(typeof emulatedDevices)[number], 'type' | 'emulateDevice'>,
  settings: EmulatorSettings,
  { link, port = 0, model }: EmulateOptions,
): Promise<Standing> {
  checkPlace(type, true, { link, port });
  const device = emulateDevice(settings, model);
  const { address, fingerprint, close } = await serveDevice(device, port);
  const reported = { ...device.login?.options, ...(fingerprint && { fingerprint }) };
  const query = Object.entries(reported).map(([key, value]) => `${key}=${value}`);
  const name = `${type}:${address}${device.place ?? ''}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  return { name, env: device.login?.env, gone: new AbortController().signal, end: close };
}

/** Waits until the signal is aborted or the seconds are over. */
async function until(signal: AbortSignal, seconds: number | undefined): Promise<void> {
  const ms = seconds === undefined ? LONGEST_MS : seconds * 1000;
  do await wait(ms, undefined, { signal }).catch(() => {});
  while (seconds === undefined && !signal.aborted);
}
