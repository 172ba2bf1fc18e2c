import { InputError } from '../../errors.ts';
import type { MeterName } from '../name.ts';
import type { ReadName } from './reply.ts';

export interface ChipChannel {
  readonly activePower: number;
  readonly powerFactor: number;
  readonly apparentPower: number;
  /** Block that holds active and apparent power (and on first channels the power factor). */
  readonly powers: ReadName;
  /** Bit of System Status that shows the direction of power. */
  readonly signBit: number;
  readonly currentRange: number;
  readonly powerRange: number;
}

/** Register map of a chip. Both chips answer alike, and differ only in this. */
export interface Chip {
  readonly type: 'mcp39f511n' | 'mcp39f511';
  readonly name: string;
  /** Error limit in percent of the reading, over a range of 4000:1 (data sheet, first page). */
  readonly gainPercent: number;
  readonly settings: ReadName;
  readonly accumulation: number;
  readonly voltageRange: number;
  readonly channels: readonly ChipChannel[];
}

/** Data sheet DS20005473; public register map of jkairys/MCP39F511N. */
export const TWO_CHANNEL_CHIP: Chip = {
  type: 'mcp39f511n',
  name: 'MCP39F511N',
  gainPercent: 0.5,
  settings: 'settingsOfTwoChannels',
  accumulation: 0x00a8,
  voltageRange: 0x00ae,
  channels: [
    {
      activePower: 0x0016,
      powerFactor: 0x000a,
      apparentPower: 0x0026,
      powers: 'powers',
      signBit: 4,
      currentRange: 0x00af,
      powerRange: 0x00b0,
    },
    {
      activePower: 0x001a,
      powerFactor: 0x000c,
      apparentPower: 0x002a,
      powers: 'powersOfChannel2',
      signBit: 6,
      currentRange: 0x00bf,
      powerRange: 0x00c0,
    },
  ],
};

/** Data sheet DS20005393; public register map of MatteoDestro/Arduino_MCP39F511. */
export const ONE_CHANNEL_CHIP: Chip = {
  type: 'mcp39f511',
  name: 'MCP39F511',
  gainPercent: 0.1,
  settings: 'settingsOfOneChannel',
  accumulation: 0x009e,
  voltageRange: 0x0082,
  channels: [
    {
      activePower: 0x0012,
      powerFactor: 0x000c,
      apparentPower: 0x001a,
      powers: 'powers',
      signBit: 4,
      currentRange: 0x0083,
      powerRange: 0x0084,
    },
  ],
};

export function otherChip(chip: Chip): Chip {
  return chip === TWO_CHANNEL_CHIP ? ONE_CHANNEL_CHIP : TWO_CHANNEL_CHIP;
}

export const STATUS_REGISTER = 0x0002;
export const VERSION_REGISTER = 0x0004;
export const VOLTAGE_REGISTER = 0x0006;
export const FREQUENCY_REGISTER = 0x0008;

/** System Version (a date code, year, month and day) by which joulediff's own emulator tells what it is: there is no month 14. */
export const EMULATOR_VERSION = 0xfeed;

/** A channel that is measured. */
export interface Selection {
  readonly index: number;
  readonly wires: ChipChannel;
  /** Name of the channel in the experiment. */
  readonly channel: string;
}

/** `?channel=1`, `2` or `both` of the chip with two. Throws InputError. */
export function selectionOf({ text, options }: MeterName): readonly Selection[] {
  const channel = options.channel ?? '1';
  if (channel === '1' || channel === '2') return select(TWO_CHANNEL_CHIP, [Number(channel) - 1]);
  if (channel === 'both') return select(TWO_CHANNEL_CHIP, [0, 1]);
  throw new InputError(`The option channel=${channel} in the meter name "${text}" is not possible.`, {
    advice: 'Possible: 1 and 2 for one outlet, and both for two channels beside each other.',
  });
}

/** The channels with these indices. */
export function select({ channels }: Chip, indices: readonly number[]): Selection[] {
  return channels.flatMap((wires, index) => {
    if (!indices.includes(index)) return [];
    return [{ index, wires, channel: indices.length === 1 ? 'wall' : `wall-${index + 1}` }];
  });
}
