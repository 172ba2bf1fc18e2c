import { MeasureError } from '../../errors.ts';
import { sleep } from '../../system/clock.ts';
import type { MeterHost } from '../meter.ts';
import { Conversation } from './conversation.ts';
import type { Packet } from './packets.ts';

/** Time limit and attempts: a meter that hasn't answered after 2 s is not there (Communications Protocol I.9). */
const ANSWER = { timeoutMs: 2000, attempts: 2 };
const SETTLE_MS = 200;

/**
 * Opens the port and makes sure that a Watts Up? meter is at its end and logs power.
 * Throws MeasureError with the port closed again: not there, not allowed, in use, something else on it, power not logged.
 */
export async function openIdentified(
  host: MeterHost,
  path: string,
  baudRate: number,
): Promise<[Conversation, Version]> {
  const conversation = new Conversation(await host.openLine(path, { baudRate }), host.clock);
  try {
    await conversation.send('abort');
    await sleep(host.clock, SETTLE_MS);
    conversation.forget();
    const version = await conversation.request('version', readVersion, ANSWER);
    if (!version) throw somethingElse(path, conversation.received());
    const logsPower = await conversation.request('loggedFields', readLogsPower, ANSWER);
    // A meter that doesn't answer may not know the command; its records will show whether it logs power.
    if (logsPower === false) {
      throw new MeasureError(`The Watts Up? meter on ${path} is not set to log watts.`, {
        advice: 'Enable watts among the logged fields in the meter settings; joulediff changes no settings.',
      });
    }
    return [conversation, version];
  } catch (error) {
    await conversation.close();
    throw error;
  }
}

/**
 * Does a Watts Up? meter answer on this port? Sends nothing but the request for the version, which changes nothing on a
 * meter. Null when something else or nothing answers. Throws MeasureError when the port can't be used.
 */
export async function probe(host: MeterHost, path: string): Promise<Version | null> {
  const conversation = new Conversation(await host.openLine(path, { baudRate: 115_200 }), host.clock);
  try {
    return await conversation.request('version', readVersion, ANSWER);
  } finally {
    await conversation.close();
  }
}

function somethingElse(path: string, received: string): MeasureError {
  const seconds = (ANSWER.timeoutMs * ANSWER.attempts) / 1000;
  const what = received === '' ? `nothing came within ${seconds} s` : `it answered "${received}"`;
  return new MeasureError(
    `There is no Watts Up? meter on ${path}: a version record "#v,-,8,…;" was expected, ${what}.`,
    {
      advice: 'Is this the right port, and is the meter on? Old meters (hardware minor version 1) need ?baud=19200.',
    },
  );
}

export interface Version {
  readonly model: string;
  readonly memory: string;
  readonly hardware: string;
  readonly firmware: string;
  readonly firmwareTimestamp: string;
}

const MODELS = ['Standard', 'PRO', 'PRO ES', '.Net', 'blind module'];

/** Firmware time stamp by which joulediff's own emulator tells what it is: no meter was built in 1970. */
export const EMULATOR_TIMESTAMP = '197001010000';

/** The version record `#v,-,8,…;` (Communications Protocol, `#V`), null when the packet isn't one. */
export function readVersion(packet: Packet): Version | null {
  const { parts } = packet;
  if (packet.command !== 'v' || parts[2] !== '8' || parts.length !== 11) return null;
  const numbers = parts.slice(3);
  if (!numbers.every((field) => /^(_|\d{1,20})$/.test(field))) return null;
  const [model = '', memory = '', hardware, hardwareMinor, firmware, firmwareMinor, firmwareTimestamp = ''] = numbers;
  return {
    model: MODELS[Number(model)] ?? `unknown (${model})`,
    memory,
    hardware: `${hardware}.${hardwareMinor}`,
    firmware: `${firmware}.${firmwareMinor}`,
    firmwareTimestamp,
  };
}

/** Does the meter log power? From `#c,-,18,<0|1>…;`, power first; null when the packet isn't one. */
export function readLogsPower(packet: Packet): boolean | null {
  const { parts } = packet;
  if (packet.command !== 'c' || parts.length < 4) return null;
  return parts[3] === '1';
}
