import { InputError, MeasureError } from '../../errors.ts';
import type { MeterHost, MeterInfo, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { accuracyOption, checkOptionNames, checkVariable, secondsOption, sourceOption } from '../options.ts';
import type { Program } from '../program/program.ts';
import { LineMeter, LineReader, type TimedPower } from './line-meter.ts';
import { LineFault } from './reading.ts';

/** Readings from which the period is found. */
const FIRST = 4;
const FIRST_WITHIN_S = 30;
/** So close together are lines that a buffer held back. */
const TOGETHER_NS = 5_000_000n;

/** A program of the user's that prints a reading a line: docs/meter-protocol.md. */
export const command: MeterType = {
  type: 'command',
  onlyNamed: true,
  check(name) {
    settingsOf(name);
  },
  async open(name, host) {
    const settings = settingsOf(name);
    const program = host.startProgram(settings.line, settings.passed);
    try {
      const reader = new LineReader();
      const first = await firstReadings(program, reader, host, settings.line);
      const periodS = settings.periodS ?? periodOf(first);
      return new LineMeter(infoOf(settings, periodS), program, reader, host.clock);
    } catch (error) {
      await program.stop();
      throw error;
    }
  },
};

interface Settings {
  readonly line: string;
  /** Names of variables. */
  readonly passed: readonly string[];
  readonly periodS: number | null;
  readonly accuracy: MeterInfo['accuracy'];
  readonly source: MeterInfo['source'];
}

function settingsOf(name: MeterName): Settings {
  checkOptionNames(name, ['period', 'pass-env', 'gain', 'offset', 'source']);
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
  };
}

function infoOf({ line, accuracy, source }: Settings, periodS: number): MeterInfo {
  return {
    type: command.type,
    address: line,
    source,
    identity: {},
    accuracy,
    minimumGuardS: Math.max(3, 3 * periodS),
    channels: [{ channel: 'command', integration: 'guard', clock: 'host', samplingPeriodS: periodS, edgeS: periodS }],
    remarks: [`As reported by the program “${line}”: how it measures, joulediff can’t see.`],
  };
}

/** Throws MeasureError: the program ends, is silent, or prints what is no reading; with what is wrong with it. */
async function firstReadings(
  program: Program,
  reader: LineReader,
  { clock }: MeterHost,
  line: string,
): Promise<readonly TimedPower[]> {
  const readings: (TimedPower & { readonly arrivedNs: bigint })[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  program.onEnd(reject);
  program.onLine((text, arrivedNs) => {
    if (readings.length === FIRST) return;
    try {
      const reading = reader.take(text, arrivedNs);
      if (reading !== null) readings.push({ ...reading, arrivedNs });
      if (readings.length === FIRST) resolve();
    } catch (cause) {
      const wrong = cause instanceof LineFault ? cause.message : String(cause);
      reject(new MeasureError(`The program “${line}” prints a line that ${wrong}.`, { advice: PROTOCOL, cause }));
    }
  });
  const callOff = clock.after(FIRST_WITHIN_S * 1000, () => {
    const told = `printed ${readings.length} readings in ${FIRST_WITHIN_S} s; ${FIRST} are needed to know its rate`;
    const advice = `Is its output held back in a buffer? It must flush after every line. ${PROTOCOL}`;
    reject(new MeasureError(`The program “${line}” ${told}.`, { advice }));
  });
  await promise.finally(callOff);
  const spanNs = readings.at(-1)!.arrivedNs - readings[0]!.arrivedNs;
  if (spanNs >= TOGETHER_NS) return readings;
  throw new MeasureError(`The program “${line}” printed several readings at the same moment.`, {
    advice: `Its output is held back in a buffer: it must flush after every line (python3 -u, stdbuf -oL). ${PROTOCOL}`,
  });
}

const PROTOCOL =
  'It must print one JSON object a line, such as {"power_w": 41.2} or {"energy_j": 1234.5}: see docs/meter-protocol.md.';

/** Seconds from reading to reading, in two digits: the same program is to have the same rate in the next session. */
function periodOf(readings: readonly TimedPower[]): number {
  const spanS = Number(readings.at(-1)!.tNs - readings[0]!.tNs) / 1e9;
  return Number((spanS / (readings.length - 1)).toPrecision(2));
}
