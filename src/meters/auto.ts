import { MeasureError, messageOf } from '../errors.ts';
import type { Meter, MeterHost, MeterType } from './meter.ts';
import { listSerialPorts, type SerialPortName, serialPortFolder, uniquePorts } from './serial/ports.ts';

export interface Choice {
  readonly meter: Meter;
  /** What was chosen and why, a sentence for the user. */
  readonly sentence: string;
}

/**
 * Chooses the first of `types`, in their order, that is present: a serial meter that answers on a port of /dev/serial/by-id, or a meter that opens
 * without an address. Ports that another process uses are left alone; the others only get questions that change nothing on any
 * meter. Throws MeasureError when none is there.
 */
export async function chooseMeter(
  types: readonly MeterType[],
  host: MeterHost,
  ports: readonly SerialPortName[] = listSerialPorts(),
): Promise<Choice> {
  const reasons: string[] = [];
  const serial = await serialMeter(types, reasons, host, ports);
  if (serial) return serial;
  for (const { type, open, probe, onlyNamed } of types) {
    if (probe || onlyNamed) continue;
    try {
      const meter = await open({ text: type, type, address: null, options: {} }, host);
      return choice(meter, reasons);
    } catch (error) {
      reasons.push(withoutStop(messageOf(error)));
    }
  }
  throw new MeasureError(`There is no meter: ${reasons.join('; ')}.`);
}

function choice(meter: Meter, reasons: readonly string[]): Choice {
  const { type, source } = meter.info;
  return {
    meter,
    sentence:
      source === 'modelled'
        ? 'No power meter was found, so energy is estimated from processor use. joulediff meter list shows where it looked.'
        : `The meter is ${type}: ${reasons.join('; ')}.`,
  };
}

async function serialMeter(
  types: readonly MeterType[],
  reasons: string[],
  host: MeterHost,
  all: readonly SerialPortName[],
): Promise<Choice | null> {
  const ports = uniquePorts(all);
  if (ports.length === 0) reasons.push(`there is no serial port in ${serialPortFolder()}`);
  const answers = await Promise.all(ports.map(({ path }) => whatAnswers(path, types, host)));
  for (const [index, { path }] of ports.entries()) {
    const answer = answers[index];
    if (!answer?.type) {
      reasons.push(answer?.what ?? '');
      continue;
    }
    try {
      const { type } = answer.type;
      const meter = await answer.type.open({ text: `${type}:${path}`, type, address: path, options: {} }, host);
      return choice(meter, [`${answer.what} answers on ${path}`]);
    } catch (error) {
      reasons.push(withoutStop(messageOf(error)));
    }
  }
  return null;
}

async function whatAnswers(
  path: string,
  types: readonly MeterType[],
  host: MeterHost,
): Promise<{ type: MeterType | null; what: string }> {
  for (const type of types) {
    try {
      const what = await type.probe?.(path, host);
      if (what) return { type, what };
    } catch (error) {
      return { type: null, what: withoutStop(messageOf(error)) };
    }
  }
  return { type: null, what: `no known meter answers on ${path}` };
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
