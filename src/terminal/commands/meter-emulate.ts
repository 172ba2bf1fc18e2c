import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { InputError, Stopped } from '../../errors.ts';
import { runEmulator } from '../../meters/emulator/emulator.ts';
import { emulatedMachine } from '../../meters/emulator/load.ts';
import { freePortName, openPty } from '../../meters/emulator/pty.ts';
import { suggest } from '../../meters/name.ts';
import { emulatedTypes } from '../../meters/registry.ts';
import { command } from '../command.ts';
import { numberOf } from '../options.ts';
import { stopSignal } from '../stop.ts';
import type { Terminal } from '../terminal.ts';

const WATTS = { minimum: 0, maximum: 5000, unit: 'watts' };
/** The longest that a timer can wait: 24 days. */
const LONGEST_MS = 2 ** 31 - 1;
const TYPES = emulatedTypes.map(({ type }) => type);
const SUMMARY = 'emulate a meter on a port of its own until Ctrl-C, to try joulediff without hardware';
const STEADY = 'constant power instead, whatever this machine does, as if plugged into the wrong outlet';

export function meterEmulateCommand(terminal: Terminal) {
  const watts = (option: string) => numberOf(option, WATTS);
  return command('emulate', SUMMARY)
    .argument('<TYPE>', TYPES.join(', '))
    .option('--link <PATH>', 'path of the port (default: in the folder for temporary files)')
    .option('--idle <W>', 'power of the emulated machine while this one is idle, in watts', watts('--idle'), 40)
    .option('--load <W>', 'its power while all processors of this one are busy, in watts', watts('--load'), 65)
    .option('--steady <W>', STEADY, watts('--steady'))
    .option('--noise <W>', 'standard deviation of its noise, in watts', watts('--noise'), 0.1)
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
      terminal.exitCode = await emulate(typeOf(name), options, terminal);
    });
}

type EmulatedType = (typeof emulatedTypes)[number];

interface EmulateOptions {
  readonly link?: string | undefined;
  readonly idle: number;
  readonly load: number;
  readonly steady?: number | undefined;
  readonly noise: number;
  readonly latency: number;
  readonly seed: number;
  readonly seconds?: number | undefined;
}

/** Gives the exit code. */
async function emulate(type: EmulatedType, options: EmulateOptions, { stdout, stderr }: Terminal): Promise<number> {
  const { link, seed, seconds } = options;
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
    const pty = await openPty(link === undefined ? freePortName(type.type) : resolve(link));
    const gone = new AbortController();
    pty.onEnd(() => gone.abort());
    const { power } = machine;
    const latencyNs = BigInt(Math.round(options.latency * 1e9));
    const end = runEmulator(
      type.emulate({ energyJ: (from, to) => power.energyJ(from, to), originNs, seed, latencyNs }),
      pty,
    );
    stdout.write(`${type.type}:${pty.path}\n`);
    stderr.write(`That is the name of the emulated meter. ${machine.sentence}\n`);
    stderr.write(`${seconds === undefined ? 'Press Ctrl-C to stop it.' : `It stops in ${seconds} s.`}\n`);
    await until(AbortSignal.any([signal, gone.signal]), seconds);
    end();
    await pty.close();
    if (signal.reason instanceof Stopped) return signal.reason.exitCode;
    if (!gone.signal.aborted) return 0;
    stderr.write(`The port ${pty.path} is gone: the program behind it has ended.\n`);
    return 3;
  } finally {
    machine.stop();
  }
}

function typeOf(text: string): EmulatedType {
  const found = emulatedTypes.find(({ type }) => type === text);
  if (found) return found;
  throw new InputError(`There is no emulator for "${text}".`, { advice: suggest(text, TYPES) });
}

/** Until the signal is aborted or the seconds are over. */
async function until(signal: AbortSignal, seconds: number | undefined): Promise<void> {
  const ms = seconds === undefined ? LONGEST_MS : seconds * 1000;
  do await wait(ms, undefined, { signal }).catch(() => {});
  while (seconds === undefined && !signal.aborted);
}
