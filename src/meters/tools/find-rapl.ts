import { join } from 'node:path';
import { JoulediffError, messageOf } from '../../errors.ts';
import { powercapRoot, rapl } from '../rapl/rapl.ts';
import { entries, findZones, text } from '../rapl/zones.ts';
import { THIS_HOST } from '../this-host.ts';

export interface RaplDomain {
  readonly path: string;
  /** Content of its `name` file: `package-0`, `dram`, … */
  readonly name: string;
  /** May this user read its energy? */
  readonly readable: boolean;
  /** Is it part of what the meter `rapl` sums up? The others are contained in these, or are the same counters once more. */
  readonly counted: boolean;
}

export interface FoundRapl {
  readonly root: string;
  readonly domains: readonly RaplDomain[];
  /** Can the meter `rapl` be used? */
  readonly usable: boolean;
  /** What the meter says of itself, or why it can't be used; sentences. */
  readonly detail: string;
  readonly advice: string | null;
}

/** The energy counters of the processor, with permissions. Changes nothing. */
export async function findRapl(): Promise<FoundRapl> {
  const root = powercapRoot();
  const counted = new Set(findZones(root).map(({ path }) => path));
  const domains = entries(root)
    .filter((entry) => /^intel-rapl[^:]*:/.test(entry))
    .map((entry) => join(root, entry))
    .map((path) => ({
      path,
      name: text(join(path, 'name')) ?? '?',
      readable: text(join(path, 'energy_uj')) !== null,
      counted: counted.has(path),
    }));
  try {
    const meter = await rapl.open({ text: rapl.type, type: rapl.type, address: null, options: {} }, THIS_HOST);
    await meter.stop();
    return { root, domains, usable: true, detail: meter.info.remarks.join(' '), advice: null };
  } catch (error) {
    const advice = error instanceof JoulediffError ? error.advice : null;
    return { root, domains, usable: false, detail: messageOf(error), advice };
  }
}
