import { MeasureError } from '../../errors.ts';
import type { PolledReading, PolledSource } from '../polled-meter.ts';
import type { Chip } from './chips.ts';
import type { Conversation } from './conversation.ts';
import type { Identified } from './identify.ts';
import { accumulationS, periodS, type Selection } from './info.ts';
import { activePowerW, hasMains, outputsOf, type Settings, settingsOf } from './outputs.ts';
import { Phase } from './phase.ts';

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
    const repeatedBecause = answer.repeatedBecause ?? settings.repeatedBecause;
    const reading = { tNs: answer.tNs, powerW, repeatedBecause };
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
