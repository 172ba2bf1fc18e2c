import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { InputError, Stopped } from '../../errors.ts';
import { emulatedMachine } from '../../meters/emulator/machine.ts';
import { freePortName, openPty } from '../../meters/emulator/pty.ts';
import { emulatorTypes } from '../../meters/emulator/registry.ts';
import { runEmulator } from '../../meters/emulator/run.ts';
import { suggest } from '../../meters/name.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Streams } from '../command.ts';
import { numberOption } from '../number-option.ts';
import { stopOnSignals } from '../stop.ts';

const watts = { minimum: 0, maximum: 5000, unit: 'watts' };
const defaultW = { idle: 40, load: 65, noise: 0.1 };
/** The longest that a timer can wait: 24 days. */
const longestMs = 2 ** 31 - 1;

export const meterEmulateCommand: Command = {
  name: 'meter emulate',
  argument: 'TYPE',
  summary: 'an emulated meter on a port of its own, to try everything without hardware, until Ctrl-C',
  options: [
    { name: 'link', value: 'PATH', help: 'name of the port (default: one in the folder for temporary files)' },
    {
      name: 'idle',
      value: 'W',
      help: `power of the emulated machine while this one is idle (default ${defaultW.idle})`,
    },
    { name: 'load', value: 'W', help: `its power while all processors of this one work (default ${defaultW.load})` },
    { name: 'steady', value: 'W', help: 'a constant power instead, whatever this machine does, as at a wrong outlet' },
    { name: 'noise', value: 'W', help: `standard deviation of its fluctuation (default ${defaultW.noise})` },
    { name: 'latency', value: 'S', help: 'how late the meter tells, in seconds (default 0.2)' },
    { name: 'seed', value: 'N', help: 'seed of the fluctuation (default 1)' },
    { name: 'seconds', value: 'N', help: 'ends by itself after N seconds' },
  ],
  async run(args: Arguments, { stdout, stderr }: Streams): Promise<number> {
    const type = typeOf(args.positional[0]);
    const seconds = numberOption(args, 'seconds', { minimum: 0.1, maximum: longestMs / 1000, unit: 'seconds' }, null);
    const latencyS = numberOption(args, 'latency', { minimum: 0, maximum: 10, unit: 'seconds' }, 0.2);
    const seed = numberOption(args, 'seed', { minimum: 0, maximum: 1e9, unit: '', whole: true }, 1);
    const originNs = process.hrtime.bigint();
    const machine = emulatedMachine({
      idleW: numberOption(args, 'idle', watts, defaultW.idle),
      loadW: numberOption(args, 'load', watts, defaultW.load),
      steadyW: numberOption(args, 'steady', watts, null),
      noiseW: numberOption(args, 'noise', watts, defaultW.noise),
      seed,
      originNs,
    });
    const link = args.text('link');
    const signal = stopOnSignals(() => {});
    try {
      const pty = await openPty(link === null ? freePortName(type.type) : resolve(link));
      const gone = new AbortController();
      pty.onEnd(() => gone.abort());
      const { power } = machine;
      const latencyNs = BigInt(Math.round(latencyS * 1e9));
      const end = runEmulator(
        type.create({ energyJ: (from, to) => power.energyJ(from, to), originNs, seed, latencyNs }),
        pty,
      );
      stdout.write(`${type.type}:${pty.path}\n`);
      stderr.write(`That is the name of the emulated meter. ${machine.sentence}\n`);
      stderr.write(`${seconds === null ? 'Ctrl-C ends it.' : `It ends in ${seconds} s.`}\n`);
      await until(AbortSignal.any([signal, gone.signal]), seconds);
      end();
      await pty.close();
      if (signal.reason instanceof Stopped) return signal.reason.exitCode;
      if (!gone.signal.aborted) return 0;
      stderr.write(`The port ${pty.path} has gone: the program behind it was ended.\n`);
      return 3;
    } finally {
      machine.stop();
    }
  },
};

function typeOf(text: string | undefined) {
  const types = emulatorTypes.map(({ type }) => type);
  const found = emulatorTypes.find(({ type }) => type === text);
  if (found) return found;
  if (text === undefined) {
    throw new InputError('meter emulate needs a TYPE.', { advice: `Possible: ${types.join(', ')}.` });
  }
  throw new InputError(`There is no emulator of "${text}".`, { advice: suggest(text, types) });
}

/** Until the signal is aborted or the seconds are over. */
async function until(signal: AbortSignal, seconds: number | null): Promise<void> {
  const ms = seconds === null ? longestMs : seconds * 1000;
  do await wait(ms, undefined, { signal }).catch(() => {});
  while (seconds === null && !signal.aborted);
}
