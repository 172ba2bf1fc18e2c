import type { MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { checkOptionNames } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';
import { portAddress } from '../serial/ports.ts';
import { type Chip, ONE_CHANNEL_CHIP, TWO_CHANNEL_CHIP } from './chips.ts';
import { McpEmulator } from './emulator.ts';
import { describeChip, openIdentified } from './identify.ts';
import { infoOf } from './info.ts';
import { type Selection, select, selectionOf } from './selection.ts';
import { RegisterSource } from './source.ts';

/** Microchip MCP39F511N (two outlets, demonstration board ADM00706): wall power of one outlet, or of both as two channels. */
export const mcp39f511n: MeterType = meterType(TWO_CHANNEL_CHIP, ['channel'], selectionOf);

/** Microchip MCP39F511: wall power of its one outlet. */
export const mcp39f511: MeterType = meterType(ONE_CHANNEL_CHIP, [], () => select(ONE_CHANNEL_CHIP, [0]));

function meterType(
  chip: Chip,
  options: readonly string[],
  selectionOf: (name: MeterName) => readonly Selection[],
): MeterType {
  const settingsOf = (name: MeterName) => {
    checkOptionNames(name, options);
    return { selected: selectionOf(name), address: portAddress(name) };
  };
  return {
    type: chip.type,
    momentary: ['lineFrequencyHz', 'accumulationIntervalS'],
    check(name) {
      settingsOf(name);
    },
    async open(name, host) {
      const { selected, address } = settingsOf(name);
      const found = await openIdentified(host, address, chip, selected);
      return new PolledMeter(
        infoOf(address, chip, selected, found),
        new RegisterSource(chip, selected, found),
        host.clock,
      );
    },
    // Which of the two chips it is can only be said by its owner, so `auto` never takes one, and nothing is sent.
    probe: async () => null,
    hint: describeChip,
    emulate: (settings) => new McpEmulator({ ...settings, chip: chip.type }),
  };
}
