import { InputError } from '../../errors.ts';
import type { MeterName } from '../name.ts';
import { type Chip, type ChipChannel, TWO_CHANNEL_CHIP } from './chips.ts';

/** A channel of the chip that is measured. */
export interface Selection {
  readonly index: number;
  readonly wires: ChipChannel;
  /** Its name in the experiment. */
  readonly channel: string;
}

/** `?channel=1`, `2` or `both` of the chip with two. Throws InputError. */
export function selectionOf({ text, options }: MeterName): readonly Selection[] {
  const channel = options.channel ?? '1';
  if (channel === '1' || channel === '2') return select(TWO_CHANNEL_CHIP, [Number(channel) - 1]);
  if (channel === 'both') return select(TWO_CHANNEL_CHIP, [0, 1]);
  throw new InputError(`The option channel=${channel} in the meter name "${text}" is not possible.`, {
    advice: 'Possible: 1 and 2 for one outlet, and both for two channels beside each other.',
  });
}

/** The channels with these indices. */
export function select({ channels }: Chip, indices: readonly number[]): Selection[] {
  return channels.flatMap((wires, index) => {
    if (!indices.includes(index)) return [];
    return [{ index, wires, channel: indices.length === 1 ? 'wall' : `wall-${index + 1}` }];
  });
}
