import { InputError } from '../../errors.ts';
import { excerpt } from '../excerpt.ts';
import { LineFault, type LineTaker, type TimedPower } from '../program/line-meter.ts';

/** Fields of `nvidia-smi --query-gpu` that hold watts. */
export type PowerField = 'power.draw.average' | 'power.draw.instant' | 'power.draw';

export interface Gpu {
  readonly name: string;
  readonly uuid: string;
  readonly driver: string;
  /** The field that is read: the first one with a number. */
  readonly field: PowerField;
}

/** Upper bound on a GPU's power, watts. */
export const MAX_W = 10_000;

/** Parses the lines of one `nvidia-smi --query-gpu=… --format=csv,noheader,nounits --loop-ms=…`. */
export class GpuReader implements LineTaker {
  readonly #fields: readonly PowerField[];
  readonly #onlyOne: boolean;
  #gpu: Gpu | null = null;
  #lastNs = 0n;
  #readings = 0;

  /** `onlyOne`: no GPU was named, so there must be no second one. */
  constructor(fields: readonly PowerField[], onlyOne: boolean) {
    this.#fields = fields;
    this.#onlyOne = onlyOne;
  }

  /** Columns to ask for; the name is the last, since it may contain a comma. */
  get columns(): readonly string[] {
    return ['uuid', 'driver_version', ...this.#fields, 'name'];
  }

  /** The GPU; known from the first reading on. */
  get gpu(): Gpu {
    if (this.#gpu === null) throw new Error('no GPU was read yet');
    return this.#gpu;
  }

  take(line: string, arrivedNs: bigint): TimedPower | null {
    if (line.trim() === '') return null;
    const [uuid = '', driver = '', ...rest] = line.trim().split(/\s*,\s*/);
    const reported = rest.slice(0, this.#fields.length);
    if (!/^GPU-[0-9a-f-]+$/i.test(uuid) || rest.length <= reported.length) {
      throw new LineFault(`is no reading: ${excerpt(line, 160)}`);
    }
    this.#gpu ??= this.#firstGpu(uuid, driver, reported, rest.slice(reported.length).join(', '));
    if (uuid !== this.#gpu.uuid) this.#refuse(uuid);
    const text = reported[this.#fields.indexOf(this.#gpu.field)] ?? '';
    const powerW = wattsOf(text);
    if (powerW === null) throw new LineFault(`reports no power: ${excerpt(text)}`);
    // This process was too busy to take the lines one by one: the next one stands for the time of this one, too.
    if (arrivedNs <= this.#lastNs) return null;
    this.#lastNs = arrivedNs;
    this.#readings++;
    return { tNs: arrivedNs, powerW: [powerW] };
  }

  #firstGpu(uuid: string, driver: string, reported: readonly string[], name: string): Gpu {
    const field = this.#fields.find((_, i) => wattsOf(reported[i] ?? '') !== null);
    if (field === undefined) {
      throw new LineFault(`reports no power of the ${name}: ${excerpt(reported.join(', '))}`);
    }
    return { name, uuid, driver, field };
  }

  #refuse(uuid: string): never {
    // A second reading of the first GPU shows that there was no other when it was opened.
    if (!this.#onlyOne || this.#readings > 1) throw new LineFault(`is of another GPU: ${excerpt(uuid)}`);
    throw new InputError('This machine has several NVIDIA GPUs.', {
      advice: 'Say which one, as nvidia:0 or nvidia:GPU-…; `nvidia-smi -L` shows indices and UUIDs.',
    });
  }
}

/** Watts in a field; null: `[N/A]`, `[Not Supported]`, `[Unknown Error]`, `[GPU is lost]`, or an impossible number. */
function wattsOf(text: string): number | null {
  const watts = /^\d{1,6}(?:\.\d{1,6})?$/.test(text) ? Number(text) : MAX_W;
  return watts < MAX_W ? watts : null;
}
