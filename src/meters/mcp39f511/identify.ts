import { MeasureError } from '../../errors.ts';
import { sleep } from '../../system/clock.ts';
import type { MeterHost } from '../meter.ts';
import type { Block } from './block.ts';
import { type Chip, ONE_CHANNEL_CHIP, otherChip, TWO_CHANNEL_CHIP } from './chips.ts';
import type { ReadName } from './commands.ts';
import { Conversation } from './conversation.ts';
import { detectChip, type Verdict } from './detect-chip.ts';
import { type Outputs, outputsOf, type Settings, settingsOf } from './outputs.ts';
import {
  doubtsOf,
  refuseChip,
  refuseImpossibleScale,
  refuseWithoutInterval,
  refuseWithoutMains,
  somethingElse,
} from './refusals.ts';
import type { Selection } from './selection.ts';

/** UART speed of both chips as delivered. */
const FORMAT = { baudRate: 115_200 };
/** A half-sent frame of the port's last user may swallow the first ones. */
const FIRST_READS = 3;
const LOOKS = 3;
const BETWEEN_LOOKS_MS = 350;

export interface Identified {
  readonly conversation: Conversation;
  readonly block: Block;
  readonly outputs: Outputs;
  readonly settings: Settings;
  /** What could not be told of the chip, sentences. */
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
  const block = await firstAnswer(conversation);
  if (!block) throw somethingElse(path, chip, conversation.received());
  const own = await readOrThrow(conversation, path, chip.settings);
  // A chip may refuse what it has no registers for.
  const others = await conversation.read(otherChip(chip).settings);
  const evidence = { named: own, other: 'block' in others ? others.block : null };
  let verdict: Verdict = 'neither';
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await sleep(clock, BETWEEN_LOOKS_MS);
    const powers = await readOrThrow(conversation, path, 'powers');
    verdict = detectChip(chip, { ...evidence, powers });
    // What contradicts may be one reading in the middle of a change.
    if (verdict !== 'other' && verdict !== 'doubtful') break;
  }
  refuseChip(verdict, path, chip, own);
  const outputs = outputsOf(block);
  const found = settingsOf(own, chip);
  refuseWithoutMains(path, outputs);
  refuseWithoutInterval(path, found);
  for (const { index, wires } of selected) {
    const powers = await readOrThrow(conversation, path, wires.powers);
    refuseImpossibleScale(path, powers, wires, found.powerRanges[index] ?? 0);
  }
  return { conversation, block, outputs, settings: found, doubts: doubtsOf(verdict, chip) };
}

async function firstAnswer(conversation: Conversation): Promise<Block | null> {
  for (let attempt = 0; attempt < FIRST_READS; attempt++) {
    const outcome = await conversation.read('outputs');
    if ('block' in outcome) return outcome.block;
  }
  return null;
}

async function readOrThrow(conversation: Conversation, path: string, name: ReadName): Promise<Block> {
  const outcome = await conversation.read(name);
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
    return `an ${TWO_CHANNEL_CHIP.name} or ${ONE_CHANNEL_CHIP.name}: name it as the chip is labelled`;
  } finally {
    await conversation.close();
  }
}
