import { join } from 'node:path';
import { MeasureError } from '../errors.ts';
import { MachineFiles } from '../machine/files.ts';
import { inNumberOrder } from '../text/order.ts';
import type { Connection } from './connection.ts';
import type { Reply } from './operations.ts';

/** What to read on the other machine, as paths; `*` means what it means in a shell. */
export interface AskedFiles {
  readonly patterns: readonly string[];
  /** Files of which only existence and owner are asked; they are never opened. */
  readonly names?: readonly string[];
  readonly links?: readonly string[];
}

type Owner = Reply<'files'>['owners'][string];

const PATTERNS = [
  ...[
    '/proc/cpuinfo',
    '/proc/meminfo',
    '/proc/sys/kernel/hostname',
    '/proc/sys/kernel/osrelease',
    '/proc/device-tree/model',
  ],
  ...['/etc/os-release', '/usr/lib/os-release', '/.dockerenv', '/run/.containerenv'],
  ...['/sys/class/dmi/id/sys_vendor', '/sys/class/dmi/id/product_name'],
  ...['/sys/devices/system/cpu/intel_pstate/no_turbo', '/sys/devices/system/cpu/cpufreq/boost'],
  ...['/sys/devices/system/cpu/cpu0/cpufreq/boost', '/sys/devices/system/cpu/cpufreq/policy*/scaling_governor'],
];

/** Files from which the conditions of a machine are read. */
export const CONDITIONS: AskedFiles = { patterns: PATTERNS, links: ['/proc/self/ns/pid'] };

/** A snapshot of another machine's files: only those that were asked for. */
export class RemoteFiles extends MachineFiles {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #links: ReadonlyMap<string, string>;
  readonly #owners: ReadonlyMap<string, Owner>;

  private constructor({ texts, links, owners }: Reply<'files'>) {
    super('/');
    this.#texts = new Map(Object.entries(texts));
    this.#links = new Map(Object.entries(links));
    this.#owners = new Map(Object.entries(owners));
  }

  /** Throws HostLostError. */
  static async read(connection: Connection, { patterns, names = [], links = [] }: AskedFiles): Promise<RemoteFiles> {
    return new RemoteFiles(await connection.ask('files', { patterns, names, links }));
  }

  /** Throws: opening a path of another machine would open a file of this one. */
  override path(path: string): never {
    throw new MeasureError(`${path} is on another machine`);
  }

  override text(path: string): string | null {
    return this.#texts.get(join('/', path))?.replace(/^\s+|[\0\s]+$/g, '') || null;
  }

  override link(path: string): string | null {
    return this.#links.get(join('/', path)) ?? null;
  }

  override owner(path: string): Owner | null {
    return this.#owners.get(join('/', path)) ?? null;
  }

  override entries(folder: string, pattern = /^/): string[] {
    const prefix = join('/', folder, '/');
    const names = [...this.#texts.keys(), ...this.#owners.keys()].flatMap((path) =>
      path.startsWith(prefix) ? (path.slice(prefix.length).split('/')[0] ?? []) : [],
    );
    return [...new Set(names)]
      .filter((name) => pattern.test(name))
      .sort(inNumberOrder)
      .map((name) => join(folder, name));
  }
}
