import type { MeterInfo } from '../meter.ts';
import type { PolledReading } from '../polled-meter.ts';

/** What an instrument is asked with. */
export interface InstrumentOptions {
  /** The input that the machine is on, from 1 on. */
  readonly element: number;
  /** Seconds between two samples, as they are wanted. */
  readonly periodS: number;
  /** As its owner states it; null: not at all. */
  readonly accuracy: MeterInfo['accuracy'];
  readonly identity: { readonly maker: string; readonly model: string };
}

/** An instrument that was made ready. */
export interface Instrument {
  readonly identity: Readonly<Record<string, string | number>>;
  readonly accuracy: MeterInfo['accuracy'];
  readonly periodS: number;
  readonly remarks: readonly string[];
  /** Never throws but when the line is lost. */
  read(): Promise<PolledReading>;
  /** Puts back what was set. Throws MeasureError when the line is lost. */
  restore(): Promise<void>;
}
