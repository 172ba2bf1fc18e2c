import { join } from 'node:path';
import type { ChannelInfo, MeterInfo } from '../../contracts/reading.ts';
import { shellWord } from '../../text/shell.ts';
import type { MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { accuracyOption, checkNoAddress, checkOptionNames, secondsOption, sourceOption } from '../options.ts';
import { firstReadings, LineMeter } from '../program/line-meter.ts';
import { text } from '../sysfs.ts';
import { AdcReader, END, type Rails } from './adc-reader.ts';

/** Pause from the end of one answer to the next question, seconds. */
const DEFAULT_PERIOD_S = 0.5;
const GUARD_S = 2;
/** Name of the processor in the device tree; also of the Raspberry Pi 500 and Compute Module 5. */
const PROCESSOR = 'brcm,bcm2712';

const channelOf = (samplingPeriodS: number): Omit<ChannelInfo, 'channel'> => ({
  integration: 'guard',
  samplingPeriodS,
  clock: 'host',
  edgeS: samplingPeriodS,
});

const SHEET: MeterSheet = {
  product: 'Raspberry Pi 5: a sum of rails, not its 5 V input',
  price: 'nothing',
  accuracy: null,
  minimumGuardS: GUARD_S,
  channel: channelOf(DEFAULT_PERIOD_S),
  wiring: 'none',
  blind: 'rails without a current sensor, what is connected to USB and PCIe, losses of the converters',
  risks:
    'a sum of rails is less than the board’s input; momentary values miss short bursts; each reading starts a process',
};

/**
 * The rails that the power management chip (PMIC) of a Raspberry Pi 5 measures, added up, by `vcgencmd pmic_read_adc`. Only the firmware can be asked,
 * one process an answer: a shell that runs as long as the meter starts them.
 */
export const pmic: MeterType = {
  type: 'pmic',
  ownMachine: true,
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  found: (root = '/proc/device-tree') =>
    text(join(root, 'compatible'))?.split('\0').includes(PROCESSOR) ? [pmic.type] : [],
  async open(name, host) {
    const settings = parseSettings(name);
    const program = host.startProgram(commandOf(settings), []);
    const reader = new AdcReader();
    try {
      const first = await firstReadings(program, reader, host.clock, {
        called: 'vcgencmd',
        advice: 'Try `vcgencmd pmic_read_adc`: it needs a Raspberry Pi 5, and a user in the group video.',
        unbuffered: '',
      });
      return new LineMeter(infoOf(settings, reader.rails, first.periodS), program, reader, host.clock);
    } catch (error) {
      await program.stop();
      throw error;
    }
  },
};

function parseSettings(name: MeterName) {
  checkNoAddress(name);
  checkOptionNames(name, ['period', 'program', 'gain', 'offset', 'source']);
  return {
    program: name.options.program ?? 'vcgencmd',
    periodS: secondsOption(name, 'period', { minimum: 0.1, maximum: 10 }, DEFAULT_PERIOD_S),
    accuracy: accuracyOption(name),
    source: sourceOption(name),
  };
}

type Settings = ReturnType<typeof parseSettings>;

const commandOf = ({ program, periodS }: Settings): string =>
  `while :; do ${shellWord(program)} pmic_read_adc 2>&1; echo "${END} $?"; sleep ${periodS}; done`;

function infoOf({ accuracy, source }: Settings, { summed, unpaired }: Rails, periodS: number): MeterInfo {
  const named = (rails: string) => rails.replaceAll(' ', ', ');
  return {
    type: pmic.type,
    address: null,
    source,
    identity: { sumOfRails: summed },
    accuracy,
    minimumGuardS: Math.max(GUARD_S, 3 * periodS),
    channels: [{ channel: 'sum-of-rails', ...channelOf(periodS) }],
    remarks: [
      `A sum of rails, not the board’s 5 V input: ${named(summed)}. USB, PCIe and the converters’ own losses are not in it.`,
      ...(unpaired === '' ? [] : [`Not in the sum, for lack of a current or a voltage: ${named(unpaired)}.`]),
      'Each reading starts vcgencmd on this machine, whose processors work for it for some milliseconds.',
    ],
  };
}
