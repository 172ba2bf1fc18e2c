/**
 * Prints what `nvidia-smi --query-gpu=… --format=csv…` prints, of GPUs whose true power is known: header, units, time stamps, and the means over
 * a second that a driver since 530 tells. There is no GPU here to compare it with: it follows the output that people posted.
 *
 *   node __tests__/emulators/nvidia-smi.ts [WATTS] --query-gpu=… --format=csv,noheader,nounits --loop-ms=100
 */
import { parseArgs } from 'node:util';
import type { TruePower } from '../../src/meters/emulator/emulator.ts';

export interface SmiTraits {
  readonly gpus?: readonly { readonly uuid: string; readonly name: string }[];
  /** Fields that this driver doesn't know. */
  readonly unknown?: readonly string[];
  /** What it prints in the place of a field's number. */
  readonly instead?: Readonly<Record<string, string>>;
}

export const UUID = 'GPU-8fe3a97d-51f6-a669-0d80-b4530b81b816';
const WINDOW_NS = 1_000_000_000n;
const RENEWED_NS = 100_000_000n;
/** The share of each tenth of a second that `power.draw.instant` sees. */
const SEEN_NS = 25_000_000n;

export class NvidiaSmi {
  readonly #power: TruePower;
  readonly #traits: SmiTraits;
  readonly #fields: readonly string[];
  readonly #format: readonly string[];
  readonly #id: string | undefined;
  readonly loopMs: number;

  constructor(args: readonly string[], power: TruePower, traits: SmiTraits = {}) {
    const options = { type: 'string' } as const;
    const { values } = parseArgs({
      args: [...args],
      options: { 'query-gpu': options, format: options, 'loop-ms': options, id: options },
    });
    this.#power = power;
    this.#traits = traits;
    this.#fields = values['query-gpu']?.split(',') ?? [];
    this.#format = values.format?.split(',') ?? [];
    this.#id = values.id;
    this.loopMs = Number(values['loop-ms']);
  }

  /** What it says before it ends at once, and its exit code; null: it goes on. */
  refusal(): { readonly says: string; readonly code: number } | null {
    const unknown = this.#fields.find((field) => this.#traits.unknown?.includes(field));
    if (unknown !== undefined) return { says: `Field "${unknown}" is not a valid field to query.`, code: 2 };
    if (this.#gpus().length === 0) return { says: 'No devices were found', code: 6 };
    return null;
  }

  header(): string[] {
    if (this.#format.includes('noheader')) return [];
    return [this.#fields.map((field) => (isPower(field) ? `${field} [W]` : field)).join(', ')];
  }

  /** One line for each GPU. */
  lines(nowNs: bigint): string[] {
    return this.#gpus().map(({ uuid, name, index }) => {
      const known: Readonly<Record<string, string>> = {
        index: `${index}`,
        uuid,
        name,
        driver_version: '550.90.12',
        timestamp: stamp(),
      };
      return this.#fields.map((field) => known[field] ?? this.#watts(field, nowNs)).join(', ');
    });
  }

  #watts(field: string, nowNs: bigint): string {
    const instead = this.#traits.instead?.[field];
    if (instead !== undefined) return instead;
    const shownNs = (nowNs / RENEWED_NS) * RENEWED_NS;
    const overNs = field === 'power.draw.instant' ? SEEN_NS : WINDOW_NS;
    const watts = this.#power.energyJ(shownNs - overNs, shownNs) / (Number(overNs) / 1e9);
    return `${watts.toFixed(2)}${this.#format.includes('nounits') ? '' : ' W'}`;
  }

  #gpus() {
    const gpus = (this.#traits.gpus ?? [{ uuid: UUID, name: 'NVIDIA GeForce RTX 3080' }]).map((gpu, index) => ({
      ...gpu,
      index,
    }));
    return gpus.filter(({ uuid, index }) => this.#id === undefined || this.#id === uuid || this.#id === `${index}`);
  }
}

const isPower = (field: string): boolean => field.startsWith('power.');
const stamp = (): string => new Date().toISOString().replace(/-/g, '/').replace('T', ' ').slice(0, 23);

if (process.argv[1] === import.meta.filename) {
  const [watts = '40', ...args] = process.argv.slice(2);
  const smi = new NvidiaSmi(args, { energyJ: (from, to) => (Number(to - from) / 1e9) * Number(watts) });
  const refusal = smi.refusal();
  if (refusal !== null) {
    process.stdout.write(`${refusal.says}\n`, () => process.exit(refusal.code));
  } else {
    const print = (lines: readonly string[]) => process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    print(smi.header());
    setInterval(() => print(smi.lines(process.hrtime.bigint())), smi.loopMs);
    // It ends with its reader.
    process.stdout.on('error', () => process.exit());
  }
}
