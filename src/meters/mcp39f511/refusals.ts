import { MeasureError } from '../../errors.ts';
import type { Block } from './block.ts';
import { type Chip, type ChipChannel, otherChip } from './chips.ts';
import type { Verdict } from './detect-chip.ts';
import { DEFAULT_POWER_RANGE, hasMains, type Outputs, type Settings, settingsOf, wattsPerCount } from './outputs.ts';

/** Counts of apparent power (10 mVA) from which it says something of the power. */
const ENOUGH_COUNTS = 200;

/** Nothing, or something else, answered. */
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
  const { voltageRange, currentRanges, powerRanges, accumulation } = settingsOf(settings, chip);
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

/** What a verdict leaves open, sentences. */
export function doubtsOf(verdict: Verdict, chip: Chip): string[] {
  if (verdict === 'either') {
    return [
      `Nothing tells whether the chip is an ${chip.name} or an ${otherChip(chip).name}; it was named as the first.`,
    ];
  }
  if (verdict === 'doubtful') {
    return ['Active power, apparent power and power factor of the meter contradict each other.'];
  }
  return [];
}
