import type { MeterInfo } from '../../contracts/reading.ts';
import { InputError } from '../../errors.ts';
import type { MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import {
  accuracyOption,
  checkOptionNames,
  checkVariable,
  partOption,
  secondsOption,
  sourceOption,
  UNKNOWN_PART,
} from '../options.ts';
import { firstReadings, LineMeter } from '../program/line-meter.ts';
import { JOULES, LineReader } from './reading.ts';

const SHEET: MeterSheet = {
  product: 'whatever a program of yours can read',
  price: 'nothing',
  accuracy: null,
  minimumGuardS: 3,
  channel: { integration: 'guard', samplingPeriodS: 1, clock: 'host', edgeS: 1 },
  wiring: 'that of the meter that it reads',
  blind: 'what its meter can’t see',
  risks: 'joulediff can’t check how the program gets its numbers',
};

/** Meter type `command`: a program of the user prints one reading per line. The protocol is in docs/own-meter.md. */
export const command: MeterType = {
  type: 'command',
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  async open(name, host) {
    const settings = parseSettings(name);
    const program = host.startProgram(settings.line, settings.passed);
    try {
      const reader = new LineReader();
      const called = `The program “${settings.line}”`;
      const first = await firstReadings(program, reader, host.clock, {
        called,
        advice: PROTOCOL,
        unbuffered: UNBUFFERED,
      });
      return new LineMeter(
        infoOf(settings, reader.key, settings.periodS ?? first.periodS),
        program,
        reader,
        host.clock,
      );
    } catch (error) {
      await program.stop();
      throw error;
    }
  },
};

interface Settings {
  readonly line: string;
  /** Names of environment variables that the program gets. */
  readonly passed: readonly string[];
  readonly periodS: number | null;
  readonly accuracy: MeterInfo['accuracy'];
  readonly source: MeterInfo['source'];
  readonly metered: ReturnType<typeof partOption>;
}

function parseSettings(name: MeterName): Settings {
  checkOptionNames(name, ['period', 'pass-env', 'gain', 'offset', 'source', 'part']);
  if (name.address === null) {
    throw new InputError(`The meter "${name.text}" does not say which program to run.`, {
      advice:
        'Write command:PROGRAM, as in command:./meter.py. It prints one JSON object a line, such as {"power_w": 41.2}.',
    });
  }
  const passed = name.options['pass-env']?.split(':') ?? [];
  for (const variable of passed) checkVariable(name, 'pass-env', variable);
  return {
    line: name.address,
    passed,
    periodS:
      name.options.period === undefined ? null : secondsOption(name, 'period', { minimum: 0.01, maximum: 60 }, 1),
    accuracy: accuracyOption(name),
    source: sourceOption(name),
    metered: partOption(name),
  };
}

function infoOf({ line, accuracy, source, metered }: Settings, reports: LineReader['key'], periodS: number): MeterInfo {
  const quantities = reports === 'energy_j' ? { quantities: [JOULES] } : {};
  return {
    type: command.type,
    address: line,
    source,
    // Together with the samples, this shows what was read.
    identity: { reports },
    accuracy,
    minimumGuardS: Math.max(3, 3 * periodS),
    channels: [
      { ...metered, integration: 'guard', clock: 'host', samplingPeriodS: periodS, edgeS: periodS, ...quantities },
    ],
    remarks: [
      `As reported by the program “${line}”: how it measures, joulediff can’t see.`,
      ...(metered.part === undefined ? [UNKNOWN_PART] : []),
    ],
  };
}

const PROTOCOL =
  'It must print one JSON object a line, such as {"power_w": 41.2} or {"energy_j": 1234.5}: see docs/own-meter.md.';
const UNBUFFERED = 'It must flush after every line (python3 -u, stdbuf -oL).';
