import type { EmulatorType } from './emulator.ts';
import { McpEmulator } from './mcp39f511.ts';
import { PzemEmulator } from './pzem-004t.ts';
import { Sdm120Emulator } from './sdm120.ts';
import { WattsUpProEmulator } from './watts-up-pro.ts';

/** Every meter that can be emulated; a new one is one line here. */
export const emulatorTypes: readonly EmulatorType[] = [
  {
    type: 'watts-up-pro',
    summary: 'Watts Up? PRO: a mean of every second, in steps of 0.1 W',
    create: (settings) => new WattsUpProEmulator(settings),
  },
  {
    type: 'pzem-004t',
    summary: 'PZEM-004T v3: a mean of 2 s, new every second, in steps of 0.1 W',
    create: (settings) => new PzemEmulator(settings),
  },
  {
    type: 'sdm120',
    summary: 'Eastron SDM120: a mean of every second',
    create: (settings) => new Sdm120Emulator(settings),
  },
  {
    type: 'mcp39f511n',
    summary: 'MCP39F511N: a mean of 16 line cycles of two outlets, the machine on the first, in steps of 0.01 W',
    create: (settings) => new McpEmulator({ ...settings, chip: 'mcp39f511n' }),
  },
  {
    type: 'mcp39f511',
    summary: 'MCP39F511: a mean of 16 line cycles, in steps of 0.01 W',
    create: (settings) => new McpEmulator({ ...settings, chip: 'mcp39f511' }),
  },
];
