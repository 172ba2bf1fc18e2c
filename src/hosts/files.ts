import { join } from 'node:path';
import * as z from 'zod';
import { MachineFiles } from '../machine/files.ts';
import type { RemoteHost } from './host.ts';

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
const LINKS = ['/proc/self/ns/pid'];

/** Files of another machine that tell of it, as they were at one moment: those that its conditions are read from, and no others. */
export class RemoteFiles extends MachineFiles {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #links: ReadonlyMap<string, string>;

  private constructor(texts: Readonly<Record<string, string>>, links: Readonly<Record<string, string>>) {
    super('/');
    this.#texts = new Map(Object.entries(texts));
    this.#links = new Map(Object.entries(links));
  }

  /** Throws HostLostError. */
  static async read(host: RemoteHost): Promise<RemoteFiles> {
    const schema = z.object({ texts: z.record(z.string(), z.string()), links: z.record(z.string(), z.string()) });
    const { texts, links } = await host.connection.ask({ op: 'files', patterns: PATTERNS, links: LINKS }, schema);
    return new RemoteFiles(texts, links);
  }

  override text(path: string): string | null {
    return this.#texts.get(join('/', path))?.replace(/^\s+|[\0\s]+$/g, '') || null;
  }

  override link(path: string): string | null {
    return this.#links.get(join('/', path)) ?? null;
  }

  override owner(): null {
    return null;
  }

  override entries(folder: string, pattern = /^/): string[] {
    const prefix = join('/', folder, '/');
    const names = [...this.#texts.keys()].flatMap((path) =>
      path.startsWith(prefix) ? (path.slice(prefix.length).split('/')[0] ?? []) : [],
    );
    return [...new Set(names)]
      .filter((name) => pattern.test(name))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .map((name) => join(folder, name));
  }
}
