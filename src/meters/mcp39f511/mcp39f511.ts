import type { MeterInfo } from '../../contracts/reading.ts';
import { upToTenths } from '../../system/clock.ts';
import { EMULATED_REMARK } from '../emulator/emulator.ts';
import type { MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { checkOptionNames } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';
import { portAddress } from '../serial/ports.ts';
import {
  type Chip,
  EMULATOR_VERSION,
  ONE_CHANNEL_CHIP,
  type Selection,
  select,
  selectionOf,
  TWO_CHANNEL_CHIP,
} from './chips.ts';
import { McpEmulator } from './emulator.ts';
import { describeChip, type Identified, openIdentified } from './identify.ts';
import {
  accumulationS,
  activePowerW,
  type Block,
  DEFAULT_POWER_RANGE,
  type Settings,
  wattsPerCount,
} from './outputs.ts';
import { edgeS, RegisterSource } from './source.ts';

/** Microchip MCP39F511N (two outlets, demonstration board ADM00706): wall power of one outlet, or of both as two channels. */
export const mcp39f511n: MeterType = meterType(TWO_CHANNEL_CHIP, ['channel'], selectionOf);

/** Microchip MCP39F511: wall power of its one outlet. */
export const mcp39f511: MeterType = meterType(ONE_CHANNEL_CHIP, [], () => select(ONE_CHANNEL_CHIP, [0]));

function meterType(
  chip: Chip,
  options: readonly string[],
  selectionOf: (name: MeterName) => readonly Selection[],
): MeterType {
  const parseSettings = (name: MeterName) => {
    checkOptionNames(name, options);
    return { selected: selectionOf(name), address: portAddress(name) };
  };
  return {
    type: chip.type,
    sheet: sheetOf(chip),
    momentary: ['lineFrequencyHz', 'accumulationIntervalS'],
    check(name) {
      parseSettings(name);
    },
    async open(name, host) {
      const { selected, address } = parseSettings(name);
      const found = await openIdentified(host, address, chip, selected);
      return new PolledMeter(
        infoOf(address, chip, selected, found),
        new RegisterSource(chip, selected, found, host.clock),
        host.clock,
      );
    },
    // Only the owner can say which of the two chips it is, so `auto` never takes one, and nothing is sent.
    probe: async () => null,
    hint: describeChip,
    emulate: (settings) => new McpEmulator({ ...settings, chip: chip.type }),
  };
}

/** Data sheet of the meter as delivered, on 50 Hz mains. */
function sheetOf({ name, channels, gainPercent }: Chip): MeterSheet {
  const outlets = channels.length === 1 ? 'one outlet' : 'two outlets';
  return {
    product: `Microchip ${name} on its demonstration board, ${outlets}`,
    price: '€50 to €300',
    accuracy: { gainPercent, offsetW: 0 },
    minimumGuardS: 1.2,
    channel: { part: 'machine', integration: 'guard', samplingPeriodS: 0.32, clock: 'host', edgeS: 0.02 },
    wiring: 'between plug and socket; USB',
    blind: 'which part of the machine, or which program, draws the power',
    risks: 'a bare board; other software changes its range',
  };
}

/** Seconds to compute and send a result, including half a second in which the electronics follow a step. */
const SETTLE_S = 0.5;
const IDLE_CHANNEL_W = 0.5;
const LOADED_CHANNEL_W = 5;

export function infoOf(address: string, chip: Chip, selected: readonly Selection[], found: Identified): MeterInfo {
  const { outputs, settings } = found;
  const { version, lineFrequencyHz } = outputs;
  const emulated = version === EMULATOR_VERSION;
  // The mains frequency varies, but the meter must have the same properties at every opening.
  const nominalHz = lineFrequencyHz < 55 ? 50 : 60;
  const intervalS = accumulationS(settings, nominalHz);
  return {
    type: chip.type,
    address,
    source: emulated ? 'emulated' : 'measured',
    identity: {
      chip: chip.name,
      outlets: selected.map(({ index }) => index + 1).join(', '),
      version: `0x${version.toString(16).padStart(4, '0')}`,
      voltageRange: settings.voltageRange,
      currentRanges: settings.currentRanges.join(', '),
      powerRanges: settings.powerRanges.join(', '),
      accumulationIntervalParameter: settings.accumulation,
      accumulationIntervalS: rounded(intervalS),
      lineFrequencyHz,
    },
    accuracy: { gainPercent: chip.gainPercent, offsetW: 0 },
    // The last result with a part of an edge is complete one interval after it, and stands for one more.
    minimumGuardS: Math.max(1, upToTenths(2 * intervalS + SETTLE_S)),
    channels: selected.map(({ channel }) => ({
      channel,
      part: 'machine',
      integration: 'guard',
      samplingPeriodS: rounded(intervalS),
      clock: 'host',
      edgeS: rounded(edgeS(intervalS)),
    })),
    remarks: [
      ...(emulated ? [EMULATED_REMARK] : []),
      ...found.doubts,
      ...selected.flatMap(({ index }) => rangeRemark(index, settings)),
      ...(chip.channels.length > 1 ? channelRemarks(found.block, chip, selected, settings) : []),
      ...signRemarks(found.block, selected, settings),
    ],
  };
}

function rangeRemark(index: number, { powerRanges }: Settings): string[] {
  const range = powerRanges[index] ?? 0;
  if (range === DEFAULT_POWER_RANGE) return [];
  const count = `${Number((wattsPerCount(range) * 1000).toPrecision(3))} mW`;
  return [
    `The power range of channel ${index + 1} is ${range} instead of ${DEFAULT_POWER_RANGE}: other software changed it. One count is taken as ${count}, a rule that was inferred and not documented. Switching the meter off and on restores its range.`,
  ];
}

/** Remarks on channels: the wrong outlet is the most common mistake. */
function channelRemarks(block: Block, chip: Chip, selected: readonly Selection[], settings: Settings): string[] {
  const powersW = chip.channels.map((channel, index) => activePowerW(block, channel, settings.powerRanges[index] ?? 0));
  const chosen = selected.map(({ index }) => index);
  const nothing = chosen.every((index) => Math.abs(powersW[index] ?? 0) < IDLE_CHANNEL_W);
  return powersW.flatMap((powerW, index) => {
    if (chosen.includes(index) || !nothing || powerW < LOADED_CHANNEL_W) return [];
    return [
      `Channel ${chosen.map((at) => at + 1).join(', ')} shows no power, and channel ${index + 1} shows ${powerW.toFixed(1)} W: is the machine on the other outlet (?channel=${index + 1})?`,
    ];
  });
}

function signRemarks(block: Block, selected: readonly Selection[], settings: Settings): string[] {
  return selected.flatMap(({ index, wires, channel }) => {
    const powerW = activePowerW(block, wires, settings.powerRanges[index] ?? 0);
    if (powerW > -IDLE_CHANNEL_W) return [];
    return [
      `The power of ${channel} is negative (${powerW.toFixed(1)} W): energy flows out of the machine, or the meter is wired the wrong way round.`,
    ];
  });
}

function rounded(seconds: number): number {
  return Number(seconds.toFixed(6));
}
