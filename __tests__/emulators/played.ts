import type { EmulatedMeter, EmulatorSettings } from '../../src/meters/emulator/emulator.ts';
import { type Fault, McpEmulator, type McpOptions } from '../../src/meters/mcp39f511/emulator.ts';
import { PzemEmulator } from '../../src/meters/pzem-004t/emulator.ts';
import { emulatedTypes } from '../../src/meters/registry.ts';
import { Sdm120Emulator } from '../../src/meters/sdm120/emulator.ts';
import { WattsUpProEmulator } from '../../src/meters/watts-up-pro/emulator.ts';

/** An emulated meter, and what tests want to steer in it. */
export interface PlayedMeter extends EmulatedMeter {
  /** Up to this moment the power has been shown, where records have no fixed delay. */
  readonly shownUntilNs?: bigint;
  /** The next question is refused. */
  refuse?(code: number): void;
  /** Takes a line that only this meter knows; false: it doesn't know it. */
  steer?(word: string, argument: string): boolean;
}

/** Options of `program.ts` that only some types know. */
export interface PlayOptions {
  readonly reserved: string;
  readonly 'no-watts': boolean;
  readonly unit: string;
  readonly 'without-alarm': boolean;
  readonly second: string;
  readonly state: string;
}

const variants: Record<string, (settings: EmulatorSettings, options: PlayOptions) => PlayedMeter> = {
  'watts-up-pro': (settings, options) =>
    new WattsUpProEmulator({
      ...settings,
      reserved: options.reserved as 'both' | 'one' | 'empty',
      ...(options['no-watts'] ? { logged: Array.from({ length: 18 }, (_, index) => index > 0) } : {}),
    }),
  'pzem-004t': (settings, options) =>
    new PzemEmulator({ ...settings, unit: Number(options.unit), withoutAlarm: options['without-alarm'] }),
  mcp39f511n: (settings, options) => new PlayedMcp(settings, 'mcp39f511n', options),
  mcp39f511: (settings, options) => new PlayedMcp(settings, 'mcp39f511', options),
  sdm120: (settings, options) => new Sdm120Emulator({ ...settings, unit: Number(options.unit) }),
};

/** The meter of this type; with the options that the tests need, where it has any. */
export function playedMeter(type: string, settings: EmulatorSettings, options: PlayOptions): PlayedMeter {
  const variant = variants[type];
  if (variant) return variant(settings, options);
  const known = emulatedTypes.find((one) => one.type === type);
  if (!known) throw new Error(`no meter type "${type}" can be emulated`);
  return known.emulate(settings);
}

/** `spoil FAULT,…` spoils the next replies, `set JSON` sets the chip's registers as other software would. */
class PlayedMcp extends McpEmulator implements PlayedMeter {
  constructor(settings: EmulatorSettings, chip: McpOptions['chip'], { second, state }: PlayOptions) {
    const secondJ = (from: bigint, to: bigint) => (Number(to - from) / 1e9) * Number(second);
    super({ ...settings, ...(chip ? { chip } : {}), secondJ, state: JSON.parse(state) });
  }

  steer(word: string, argument: string): boolean {
    if (word === 'spoil') this.spoil(...(argument.split(',') as Fault[]));
    else if (word === 'set') this.set(JSON.parse(argument));
    else return false;
    return true;
  }
}
