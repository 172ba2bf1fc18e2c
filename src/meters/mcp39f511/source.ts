import { MeasureError } from '../../errors.ts';
import { type PolledReading, type PolledSource, repeatedNote } from '../polled-meter.ts';
import type { Chip, Selection } from './chips.ts';
import type { Conversation } from './conversation.ts';
import type { Identified } from './identify.ts';
import {
  accumulationS,
  activePowerW,
  type Block,
  hasMains,
  outputsOf,
  periodS,
  type Settings,
  settingsOf,
} from './outputs.ts';

/** Readings of the selected channels, each with the settings that its scale depends on. */
export class RegisterSource implements PolledSource {
  readonly #chip: Chip;
  readonly #selected: readonly Selection[];
  readonly #conversation: Conversation;
  readonly #settings: Settings;
  readonly #version: number;
  readonly #phase = new Phase();

  constructor(chip: Chip, selected: readonly Selection[], { conversation, settings, outputs }: Identified) {
    this.#chip = chip;
    this.#selected = selected;
    this.#conversation = conversation;
    this.#settings = settings;
    this.#version = outputs.version;
  }

  /** Throws MeasureError also when the settings are not those any more that the meter was opened with: its scale is in doubt. */
  async read(): Promise<PolledReading> {
    const answer = await this.#conversation.read('outputs');
    if ('failure' in answer) return { missing: answer.failure };
    const outputs = outputsOf(answer.block);
    if (outputs.version !== this.#version) return { missing: 'it answered with other registers than were asked for' };
    // Other software that sets the meter, or a power cut that resets it, may come at any moment: a scale is only known to hold
    // for a reading when it is found the same after it.
    const settings = await this.#conversation.read(this.#chip.settings);
    if ('failure' in settings) return { missing: settings.failure };
    this.#refuseOthers(settingsOf(settings.block, this.#chip));
    const powerW = this.#selected.map(({ index, wires }) =>
      activePowerW(answer.block, wires, this.#settings.powerRanges[index] ?? Number.NaN),
    );
    const note = repeatedNote(answer.repeatedBecause ?? settings.repeatedBecause);
    const reading = { tNs: answer.tNs, powerW, note };
    if (!hasMains(outputs)) return reading;
    const { lineFrequencyHz } = outputs;
    const evenS = periodS(this.#settings, lineFrequencyHz);
    const isEveryResult = evenS === accumulationS(this.#settings, lineFrequencyHz);
    return { ...reading, periodS: isEveryResult ? evenS * this.#phase.after(answer.block) : evenS };
  }

  onEnd(listener: (error: MeasureError) => void): void {
    this.#conversation.onEnd(listener);
  }

  close(): Promise<void> {
    return this.#conversation.close();
  }

  #refuseOthers(now: Settings): void {
    if (words(now) === words(this.#settings)) return;
    throw new MeasureError(
      `The settings of the meter changed while it was read, from ${words(this.#settings)} to ${words(now)}.`,
      { advice: 'Other software uses the meter, or it was switched off and on.' },
    );
  }
}

function words({ voltageRange, currentRanges, powerRanges, accumulation }: Settings): string {
  return `ranges ${[voltageRange, ...currentRanges, ...powerRanges].join(', ')} and accumulation interval ${accumulation}`;
}

/**
 * Keeps the moment of reading away from that at which the meter puts in its next result. Read around the same moment, a result comes twice and the one
 * after it never, as chance has it. A result that came twice has all numbers alike (voltage, frequency, currents, powers),
 * which two results hardly ever have; where they have, getting away without need does no harm.
 */
export class Phase {
  #last: Block | null = null;

  /** Takes a reading and says after how many periods the next should be: 1, or 1.5 to get away. */
  after(block: Block): number {
    const again = this.#last?.equals(block) ?? false;
    this.#last = block;
    return again ? 1.5 : 1;
  }
}
