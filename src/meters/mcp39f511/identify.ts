import { MeasureError } from '../../errors.ts';
import { sleep } from '../../system/clock.ts';
import type { MeterHost } from '../meter.ts';
import { type Chip, type ChipChannel, ONE_CHANNEL_CHIP, otherChip, type Selection, TWO_CHANNEL_CHIP } from './chips.ts';
import { Conversation, type Outcome } from './conversation.ts';
import { detectChip, type Verdict } from './detect-chip.ts';
import {
  type Block,
  DEFAULT_POWER_RANGE,
  hasMains,
  type Outputs,
  outputsOf,
  parseSettings,
  type Settings,
  wattsPerCount,
} from './outputs.ts';
import type { ReadName } from './reply.ts';

/** UART speed of both chips as delivered. */
const FORMAT = { baudRate: 115_200 };
/** Attempts of the first read: the last user's half-sent frame may swallow one, a busy machine may hear the reply too late, and there is time. */
const FIRST_READS = 3;
const MAX_READINGS = 3;
const BETWEEN_READINGS_MS = 350;

export interface Identified {
  readonly conversation: Conversation;
  readonly block: Block;
  readonly outputs: Outputs;
  readonly settings: Settings;
  /** Sentences on what could not be found out about the chip. */
  readonly doubts: readonly string[];
}

/**
 * Opens the port and makes sure that a chip of that kind is at its end, sees mains voltage and has settings that can be understood.
 * `selected` will be measured.
 * Throws MeasureError with the port closed again: not there, not allowed, in use, something else on it, the other chip.
 */
export async function openIdentified(
  host: MeterHost,
  path: string,
  chip: Chip,
  selected: readonly Selection[],
): Promise<Identified> {
  const conversation = new Conversation(await host.openLine(path, FORMAT), host.clock);
  try {
    return await identify(host, conversation, path, chip, selected);
  } catch (error) {
    await conversation.close();
    throw error;
  }
}

async function identify(
  { clock }: MeterHost,
  conversation: Conversation,
  path: string,
  chip: Chip,
  selected: readonly Selection[],
): Promise<Identified> {
  const first = await patiently(conversation, 'outputs');
  if ('failure' in first) throw somethingElse(path, chip, conversation.received());
  const own = await readOrThrow(conversation, path, chip.settings);
  // A chip may refuse to read registers that it does not have.
  const others = await conversation.read(otherChip(chip).settings);
  const evidence = { named: own, other: 'block' in others ? others.block : null };
  let verdict: Verdict = 'neither';
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    if (reading > 0) await sleep(clock, BETWEEN_READINGS_MS);
    const powers = await readOrThrow(conversation, path, 'powers');
    verdict = detectChip(chip, { ...evidence, powers });
    // A contradiction may come from one reading in the middle of a change, so it is read again.
    if (verdict !== 'other' && verdict !== 'doubtful') break;
  }
  refuseChip(verdict, path, chip, own);
  const outputs = outputsOf(first.block);
  const found = parseSettings(own, chip);
  refuseWithoutMains(path, outputs);
  refuseWithoutInterval(path, found);
  for (const { index, wires } of selected) {
    const powers = await readOrThrow(conversation, path, wires.powers);
    refuseImpossibleScale(path, powers, wires, found.powerRanges[index] ?? 0);
  }
  return { conversation, block: first.block, outputs, settings: found, doubts: formatDoubts(verdict, chip) };
}

async function patiently(conversation: Conversation, name: ReadName): Promise<Outcome> {
  let outcome = await conversation.read(name);
  for (let reads = 1; reads < FIRST_READS && 'failure' in outcome; reads++) outcome = await conversation.read(name);
  return outcome;
}

async function readOrThrow(conversation: Conversation, path: string, name: ReadName): Promise<Block> {
  const outcome = await patiently(conversation, name);
  if ('block' in outcome) return outcome.block;
  throw new MeasureError(`The meter on ${path} does not answer reliably: ${outcome.failure}.`, {
    advice: 'Check the cable, and that no other program uses the meter.',
  });
}

/**
 * Does one of these chips answer on this port, and which does it look like? A few words, null when none answers. Changes nothing on a meter.
 * Only a hint for people: which chip it is must be said by its owner. Throws MeasureError when the port can't be used.
 */
export async function describeChip(path: string, host: MeterHost): Promise<string | null> {
  const conversation = new Conversation(await host.openLine(path, FORMAT), host.clock);
  try {
    if ('failure' in (await conversation.read('outputs'))) return null;
    return `an ${TWO_CHANNEL_CHIP.name} or ${ONE_CHANNEL_CHIP.name}: name it as the chip is labeled`;
  } finally {
    await conversation.close();
  }
}

/** Counts (10 mVA) of apparent power from which it can be compared with the active power. */
const ENOUGH_COUNTS = 200;

/** The error where nothing, or something else, answered. */
export function somethingElse(path: string, { name }: Chip, received: string): MeasureError {
  const what = received === '' ? 'nothing came' : `it answered "${received}"`;
  return new MeasureError(`There is no ${name} on ${path}: its registers were asked for, ${what}.`, {
    advice: 'Is this the right port, and is the meter on? Its link must be set to 115200 baud, as delivered.',
  });
}

/** Throws MeasureError when the chip is not the one that was named, or its settings can't be understood. */
export function refuseChip(verdict: Verdict, path: string, chip: Chip, settings: Block): void {
  if (verdict === 'other') {
    const { type, name } = otherChip(chip);
    throw new MeasureError(`The registers of the meter on ${path} are those of an ${name}, not of an ${chip.name}.`, {
      advice: `Read the name on the chip, and name the meter ${type}:${path} if it says so.`,
    });
  }
  if (verdict !== 'neither') return;
  const { voltageRange, currentRanges, powerRanges, accumulation } = parseSettings(settings, chip);
  const ranges = [voltageRange, ...currentRanges, ...powerRanges].join(', ');
  throw new MeasureError(
    `The meter on ${path} has no settings of an ${chip.name}: ranges ${ranges}, accumulation interval ${accumulation}.`,
    { advice: 'Without its ranges the scale of its power is unknown. Switch the meter off and on, and try again.' },
  );
}

/** Throws MeasureError when there is no line frequency, without which nothing is computed. */
export function refuseWithoutMains(path: string, outputs: Outputs): void {
  if (hasMains(outputs)) return;
  const { lineFrequencyHz, voltageV } = outputs;
  throw new MeasureError(
    `The meter on ${path} sees no mains: ${lineFrequencyHz} Hz and ${voltageV} V, where 45 to 65 Hz were expected.`,
    { advice: 'Plug the meter in, and the machine into the meter.' },
  );
}

/** Throws MeasureError for the interval of one line cycle, at which others saw wrong power factors and negative power. */
export function refuseWithoutInterval(path: string, { accumulation }: Settings): void {
  if (accumulation !== 0) return;
  throw new MeasureError(`The meter on ${path} is set to compute every line cycle, which makes its power wrong.`, {
    advice: 'Other software has set this; switch the meter off and on to restore its own setting.',
  });
}

/**
 * Active power is never more than apparent power, whose scale does not depend on the range of power (voltage times current). At the default range
 * a contradiction is one of the registers' and has been judged; at others our own scale may be the wrong one. Throws MeasureError then.
 */
export function refuseImpossibleScale(path: string, block: Block, channel: ChipChannel, powerRange: number): void {
  const apparent = block.u32(channel.apparentPower);
  const activeW = block.u32(channel.activePower) * wattsPerCount(powerRange);
  if (powerRange === DEFAULT_POWER_RANGE || apparent < ENOUGH_COUNTS || activeW <= 1.05 * (apparent / 100) + 0.5) {
    return;
  }
  throw new MeasureError(
    `The power of the meter on ${path} can't be scaled: at its range ${powerRange} it would be ${activeW.toFixed(1)} W, more than its apparent power, ${(apparent / 100).toFixed(1)} VA.`,
    { advice: 'Other software changed the range; switch the meter off and on to restore its own.' },
  );
}

/** Sentences on what a verdict leaves open. */
export function formatDoubts(verdict: Verdict, chip: Chip): string[] {
  if (verdict === 'either') {
    return [`The chip could be an ${chip.name} or an ${otherChip(chip).name}; it was taken for the first, as named.`];
  }
  if (verdict === 'doubtful') {
    return ['Active power, apparent power and power factor of the meter contradict each other.'];
  }
  return [];
}
