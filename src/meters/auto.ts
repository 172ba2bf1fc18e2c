import { messageOf } from '../errors.ts';
import { estimate } from './estimate/estimate.ts';
import type { Meter, MeterName } from './meter.ts';
import { rapl } from './rapl/rapl.ts';
import { listSerialPorts, serialPortFolder } from './serial/ports.ts';
import { probe } from './watts-up-pro/identify.ts';
import { wattsUpPro } from './watts-up-pro/watts-up-pro.ts';

export interface Choice {
  readonly meter: Meter;
  /** What was chosen and why, a sentence for the user. */
  readonly sentence: string;
}

/**
 * The first of: a serial meter that answers on a port of /dev/serial/by-id, RAPL, estimate. Ports that another process uses are left alone; on the others
 * nothing is sent but a request that changes nothing on any meter.
 */
export async function chooseMeter(): Promise<Choice> {
  const serial = await serialMeter();
  if (serial.meter) return { meter: serial.meter, sentence: `auto chose ${serial.meter.info.type}: ${serial.why}.` };
  try {
    const meter = await rapl.open(bare('rapl'));
    return { meter, sentence: `auto chose rapl, the processor's own counters: ${serial.why}.` };
  } catch (error) {
    const meter = await estimate.open(bare('estimate'));
    const why = `${serial.why}; ${withoutStop(messageOf(error))}`;
    return { meter, sentence: `auto chose estimate, a model of processor use and not a measurement: ${why}.` };
  }
}

async function serialMeter(): Promise<{ meter: Meter | null; why: string }> {
  const folder = serialPortFolder();
  const ports = listSerialPorts(folder).filter(
    ({ device }, index, all) => all.findIndex((other) => other.device === device) === index,
  );
  if (ports.length === 0) return { meter: null, why: `there is no serial port in ${folder}` };
  const reasons: string[] = [];
  const answers = await Promise.all(ports.map(({ path }) => probe(path).catch((error: unknown) => messageOf(error))));
  for (const [index, { path }] of ports.entries()) {
    const answer = answers[index] ?? 'no known meter answers';
    if (typeof answer === 'string') {
      reasons.push(`${path}: ${withoutStop(answer)}`);
      continue;
    }
    try {
      const name = { ...bare('watts-up-pro'), address: path };
      return { meter: await wattsUpPro.open(name), why: `a Watts Up? meter answers on ${path}` };
    } catch (error) {
      reasons.push(`${path}: ${withoutStop(messageOf(error))}`);
    }
  }
  return { meter: null, why: `no serial meter could be used (${reasons.join('; ')})` };
}

function bare(type: string): MeterName {
  return { text: type, type, address: null, options: {} };
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
