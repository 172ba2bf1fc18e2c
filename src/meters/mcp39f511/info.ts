import type { MeterInfo } from '../meter.ts';
import type { Block } from './block.ts';
import { type Chip, EMULATOR_VERSION } from './chips.ts';
import type { Identified } from './identify.ts';
import { activePowerW, DEFAULT_POWER_RANGE, type Settings, wattsPerCount } from './outputs.ts';
import type { Selection } from './selection.ts';

/** Four readings a second are enough for any guard, and leave the meter's processor its time. */
const SHORTEST_PERIOD_S = 0.25;
/** Computing and sending a result, and half a second for what the electronics need to follow a step. */
const SETTLE_S = 0.5;
const IDLE_CHANNEL_W = 0.5;
const LOADED_CHANNEL_W = 5;

/** Seconds of one computation: 2^N line cycles (data sheet, Accumulation Interval Parameter). */
export function accumulationS({ accumulation }: Settings, lineFrequencyHz: number): number {
  return 2 ** accumulation / lineFrequencyHz;
}

/** Seconds between readings: as long as a computation takes, so that each is read once, and never below a quarter of a second. */
export function periodS(settings: Settings, lineFrequencyHz: number): number {
  return Math.max(SHORTEST_PERIOD_S, accumulationS(settings, lineFrequencyHz));
}

export function infoOf(address: string, chip: Chip, selected: readonly Selection[], found: Identified): MeterInfo {
  const { outputs, settings } = found;
  const { version, lineFrequencyHz } = outputs;
  const emulated = version === EMULATOR_VERSION;
  // The mains are never at their nominal frequency, but what is told of the meter shall be the same at every opening.
  const nominalHz = lineFrequencyHz < 55 ? 50 : 60;
  const intervalS = accumulationS(settings, nominalHz);
  const samplingPeriodS = periodS(settings, nominalHz);
  return {
    type: chip.type,
    address,
    source: emulated ? 'emulated' : 'measured',
    identity: {
      chip: chip.name,
      version: `0x${version.toString(16).padStart(4, '0')}`,
      voltageRange: settings.voltageRange,
      currentRanges: settings.currentRanges.join(', '),
      powerRanges: settings.powerRanges.join(', '),
      accumulationIntervalParameter: settings.accumulation,
      accumulationIntervalS: rounded(intervalS),
      lineFrequencyHz,
    },
    accuracy: { gainPercent: chip.gainPercent, offsetW: 0 },
    // The last result that holds some of an edge is complete one interval after it, stands for another, and is read a period later at the latest.
    minimumGuardS: Math.max(1, Math.ceil((2 * intervalS + samplingPeriodS + SETTLE_S) * 10) / 10),
    channels: selected.map(({ channel }) => ({
      channel,
      part: 'machine',
      integration: 'guard',
      samplingPeriodS: rounded(samplingPeriodS),
      clock: 'host',
    })),
    remarks: [
      ...(emulated ? ['These watts come from an emulator of a meter, they were not measured.'] : []),
      ...found.doubts,
      ...selected.flatMap(({ index }) => rangeRemark(index, settings)),
      ...shareRemark(intervalS, samplingPeriodS),
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

function shareRemark(intervalS: number, samplingPeriodS: number): string[] {
  if (intervalS > 0.9 * samplingPeriodS) return [];
  const share = Math.round((intervalS / samplingPeriodS) * 100);
  return [
    `The meter is set to average ${rounded(intervalS)} s and is read every ${rounded(samplingPeriodS)} s, so it shows ${share} % of the time: other software changed its accumulation interval. Switching the meter off and on restores it.`,
  ];
}

/** The wrong outlet is the commonest mistake. */
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
