import { MeasureError } from '../../errors.ts';
import { type Clock, nsToSeconds, secondsToNs, sleep } from '../../system/clock.ts';
import { type PolledReading, type PolledSource, repeatedNote } from '../polled-meter.ts';
import type { Chip, Selection } from './chips.ts';
import type { Answer, Conversation } from './conversation.ts';
import type { Identified } from './identify.ts';
import {
  accumulationS,
  activePowerW,
  type Block,
  hasMains,
  outputsOf,
  parseSettings,
  type Settings,
} from './outputs.ts';

/** Pause between two questions, and lead of the first one before the expected result, as shares of the result's period. */
const [BETWEEN, AHEAD] = [1 / 64, 1 / 16];
/** Length of an exchange on a USB adapter, seconds: 8 and 35 bytes take 3.7 ms at 115,200 baud. */
const EXCHANGE_S = 0.005;

/** Error limit of a result's time, seconds: twice the time from one question to the next, for a busy host. */
export const edgeS = (evenS: number): number => 2 * (EXCHANGE_S + BETWEEN * evenS);

/**
 * Results of the selected channels, each with the settings that its scale depends on. The meter is asked several times around the moment at which
 * it puts in a new result; so each result is taken once, with that moment as its time.
 */
export class RegisterSource implements PolledSource {
  readonly waits = true;
  readonly #chip: Chip;
  readonly #selected: readonly Selection[];
  readonly #conversation: Conversation;
  readonly #settings: Settings;
  readonly #version: number;
  readonly #clock: Clock;
  readonly #results = new Results();
  #evenS: number;

  constructor(
    chip: Chip,
    selected: readonly Selection[],
    { conversation, settings, outputs }: Identified,
    clock: Clock,
  ) {
    this.#chip = chip;
    this.#selected = selected;
    this.#conversation = conversation;
    this.#settings = settings;
    this.#version = outputs.version;
    this.#clock = clock;
    this.#evenS = accumulationS(settings, outputs.lineFrequencyHz);
  }

  /** Throws MeasureError also when the settings are not those any more that the meter was opened with: its scale is in doubt. */
  async read(): Promise<PolledReading> {
    const askedNs = this.#clock.nowNs();
    for (;;) {
      const answer = await this.#conversation.read('outputs');
      if ('failure' in answer) return { missing: answer.failure };
      const outputs = outputsOf(answer.block);
      if (outputs.version !== this.#version) return { missing: 'it answered with other registers than were asked for' };
      if (hasMains(outputs)) this.#evenS = accumulationS(this.#settings, outputs.lineFrequencyHz);
      const newNs = this.#results.take(answer.block, answer.tNs, secondsToNs(this.#evenS));
      if (newNs !== null) return this.#reading(answer, newNs, nsToSeconds(newNs - askedNs));
      await sleep(this.#clock, 1000 * BETWEEN * this.#evenS);
    }
  }

  /** `waitedS`: seconds from the first question to the result; negative: the first question found it. */
  async #reading(answer: Answer, tNs: bigint, waitedS: number): Promise<PolledReading> {
    // Other software, or a reset by a power cut, may change the settings at any moment: a reading's scale is certain only if they are
    // the same after it.
    const settings = await this.#conversation.read(this.#chip.settings);
    if ('failure' in settings) return { missing: settings.failure };
    this.#refuseOthers(parseSettings(settings.block, this.#chip));
    const powerW = this.#selected.map(({ index, wires }) =>
      activePowerW(answer.block, wires, this.#settings.powerRanges[index] ?? Number.NaN),
    );
    const note = repeatedNote(answer.repeatedBecause ?? settings.repeatedBecause);
    // The next first question is moved so that few questions are needed and the old result is still seen.
    const shiftS = Math.min(waitedS - AHEAD * this.#evenS, this.#evenS / 2);
    return { tNs, powerW, note, periodS: this.#evenS + Math.max(shiftS, -AHEAD * this.#evenS) };
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

/** Share of a period after which an unchanged result counts as a new one with the same numbers. */
const LONGEST_SAME = 1.5;

/**
 * Tells new results from those that were read before, and finds when the chip wrote them. Two results hardly ever have all numbers alike (voltage,
 * frequency, currents, powers).
 */
export class Results {
  #last: { readonly block: Block; readonly newNs: bigint; seenNs: bigint } | null = null;

  /** When the chip wrote the result read at `tNs`; null: it was read before. The age of the first one is unknown, so it counts as read. */
  take(block: Block, tNs: bigint, evenNs: bigint): bigint | null {
    const last = this.#last;
    if (last === null) {
      this.#last = { block, newNs: tNs, seenNs: tNs };
      return null;
    }
    const isSame = last.block.equals(block);
    if (isSame && Number(tNs - last.newNs) < LONGEST_SAME * Number(evenNs)) {
      last.seenNs = tNs;
      return null;
    }
    // Results come at a fixed rate: the expected moment is the best estimate, limited to the time since the last question that saw the old one.
    const sinceNs = tNs - last.newNs;
    const expectedNs = last.newNs + (sinceNs < evenNs ? 1n : sinceNs / evenNs) * evenNs;
    const earliestNs = isSame ? last.newNs : last.seenNs;
    const newNs = expectedNs < earliestNs ? earliestNs : expectedNs > tNs ? tNs : expectedNs;
    this.#last = { block, newNs, seenNs: tNs };
    return newNs;
  }
}
