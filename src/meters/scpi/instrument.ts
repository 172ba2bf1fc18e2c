import type { MeterInfo } from '../../contracts/reading.ts';
import { MeasureError } from '../../errors.ts';
import { excerpt } from '../excerpt.ts';
import type { PolledReading } from '../polled-meter.ts';
import { type Ask, ScpiFault } from './conversation.ts';

/** Options that an instrument is read with. */
export interface InstrumentOptions {
  /** Input that the machine is connected to, from 1 on. */
  readonly element: number;
  /** Accuracy as its owner states it; null: not stated. */
  readonly accuracy: MeterInfo['accuracy'];
  readonly identity: { readonly maker: string; readonly model: string };
}

/** An instrument that is ready to be read. */
export interface Instrument {
  readonly identity: Readonly<Record<string, string | number>>;
  readonly accuracy: MeterInfo['accuracy'];
  /** Seconds from one update of its data to the next; every reading waits for one. */
  readonly updateS: number;
  readonly remarks: readonly string[];
  /** Reads once. Throws only when the line is lost. */
  read(): Promise<PolledReading>;
  /** Restores the settings that were changed. Throws MeasureError when the line is lost. */
  restore(): Promise<void>;
}

export const AUTOMATIC =
  'Its ranges change by themselves, and what flows meanwhile is measured wrong: set fixed ranges with its keys. joulediff changes no range.';
export const RUNNING =
  'Its integration was running already and is left as it is; the longer it runs, the coarser the steps of its energy.';

export function resultHeld(): MeasureError {
  return new MeasureError(
    'The instrument holds somebody’s integration: it has ended, was stopped, or is yet to begin.',
    {
      advice: 'Reset its integration with its keys once nobody needs it any more.',
    },
  );
}

/** What an instrument's error queue holds, which is empty afterwards. Throws as `ask`. */
export async function errorQueue(ask: Ask, question: string): Promise<string[]> {
  const errors: string[] = [];
  for (;;) {
    const error = await ask(question);
    if (/^[+-]?0\b/.test(error) || errors.length === 20) return errors;
    errors.push(error);
  }
}

/** Throws ScpiFault where its error queue shows that it refused something. */
export async function checkObeyed(ask: Ask, question: string): Promise<void> {
  const errors = await errorQueue(ask, question);
  if (errors.length > 0)
    throw new ScpiFault(`it refuses what it was told: ${errors.map((one) => excerpt(one)).join(', ')}`);
}
