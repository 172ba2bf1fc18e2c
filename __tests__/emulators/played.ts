import type { EmulatedMeter, EmulatorSettings } from '../../src/meters/emulator/emulator.ts';
import { PzemEmulator } from '../../src/meters/emulator/pzem-004t.ts';
import { emulatorTypes } from '../../src/meters/emulator/registry.ts';
import { Sdm120Emulator } from '../../src/meters/emulator/sdm120.ts';
import { WattsUpProEmulator } from '../../src/meters/emulator/watts-up-pro.ts';

/** An emulated meter, and what tests want to steer in it. */
export interface PlayedMeter extends EmulatedMeter {
  /** Up to this moment the power has been told, where records have no fixed delay. */
  readonly toldUntilNs?: bigint;
  /** The next question is refused. */
  refuse?(code: number): void;
}

/** Options of `program.ts` that only some types know. */
export interface PlayOptions {
  readonly reserved: string;
  readonly 'no-watts': boolean;
  readonly unit: string;
  readonly 'without-alarm': boolean;
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
  sdm120: (settings, options) => new Sdm120Emulator({ ...settings, unit: Number(options.unit) }),
};

/** The meter of this type; with the options that the tests need, where it has any. */
export function playedMeter(type: string, settings: EmulatorSettings, options: PlayOptions): PlayedMeter {
  const variant = variants[type];
  if (variant) return variant(settings, options);
  const known = emulatorTypes.find((one) => one.type === type);
  if (!known) throw new Error(`no meter type "${type}" can be emulated`);
  return known.create(settings);
}
