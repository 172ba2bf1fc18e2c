import { MeasureError } from '../../errors.ts';
import { sleep } from '../../system/deadline.ts';
import { SerialLine } from '../serial/line.ts';
import { Conversation } from './conversation.ts';
import { readLogsPower, readVersion, type Version } from './identity.ts';

/** Communications Protocol I.9: a meter that hasn't answered after 2 s is not there. */
const answer = { timeoutMs: 2000, attempts: 2 };
const settleMs = 200;

/**
 * Opens the port and makes sure that a Watts Up? meter is at its end and logs power.
 * Throws MeasureError with the port closed again: not there, not allowed, in use, something else on it, power not logged.
 */
export async function openIdentified(path: string, baudRate: number): Promise<[Conversation, Version]> {
  const conversation = new Conversation(await SerialLine.open(path, { baudRate }));
  try {
    await conversation.send('abort');
    await sleep(settleMs);
    conversation.forget();
    const version = await conversation.request('version', readVersion, answer);
    if (!version) throw somethingElse(path, conversation.heard());
    const logsPower = await conversation.request('loggedFields', readLogsPower, answer);
    // A meter that doesn't say may be one that can't: its records will tell.
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
export async function probe(path: string): Promise<Version | null> {
  const conversation = new Conversation(await SerialLine.open(path, { baudRate: 115_200 }));
  try {
    return await conversation.request('version', readVersion, answer);
  } finally {
    await conversation.close();
  }
}

function somethingElse(path: string, heard: string): MeasureError {
  const seconds = (answer.timeoutMs * answer.attempts) / 1000;
  const what = heard === '' ? `nothing came within ${seconds} s` : `it answered "${heard}"`;
  return new MeasureError(
    `There is no Watts Up? meter on ${path}: a version record "#v,-,8,…;" was expected, ${what}.`,
    {
      advice: 'Is this the right port, and is the meter on? Old meters (hardware minor version 1) need ?baud=19200.',
    },
  );
}
