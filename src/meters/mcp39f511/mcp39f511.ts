import { InputError } from '../../errors.ts';
import type { MeterName, MeterType } from '../meter.ts';
import { checkOptionNames } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';
import { portAddress } from '../serial/ports.ts';
import { type Chip, oneChannelChip, twoChannelChip } from './chips.ts';
import { describeChip, openIdentified } from './identify.ts';
import { infoOf, type Selection } from './info.ts';
import { RegisterSource } from './source.ts';

/** Microchip MCP39F511N (two outlets, demonstration board ADM00706): wall power of one outlet, or of both as two channels. */
export const mcp39f511n: MeterType = meterType(twoChannelChip, ['channel'], selectionOf);

/** Microchip MCP39F511: wall power of its one outlet. */
export const mcp39f511: MeterType = meterType(oneChannelChip, [], () => select(oneChannelChip, [0]));

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
  };
}

function selectionOf({ text, options }: MeterName): readonly Selection[] {
  const channel = options.channel ?? '1';
  if (channel === '1' || channel === '2') return select(twoChannelChip, [Number(channel) - 1]);
  if (channel === 'both') return select(twoChannelChip, [0, 1]);
  throw new InputError(`The option channel=${channel} in the meter name "${text}" is not possible.`, {
    advice: 'Possible: 1 and 2 for one outlet, and both for two channels beside each other.',
  });
}

function select({ channels }: Chip, indices: readonly number[]): Selection[] {
  return channels.flatMap((wires, index) => {
    if (!indices.includes(index)) return [];
    return [{ index, wires, channel: indices.length === 1 ? 'wall' : `wall-${index + 1}` }];
  });
}
