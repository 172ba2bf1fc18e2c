import type { EmulatorType } from './emulator.ts';
import { WattsUpProEmulator } from './watts-up-pro.ts';

/** Every meter that can be emulated; a new one is one line here. */
export const emulatorTypes: readonly EmulatorType[] = [
  {
    type: 'watts-up-pro',
    summary: 'Watts Up? PRO: a mean of every second, in steps of 0.1 W',
    create: (settings) => new WattsUpProEmulator(settings),
  },
];
