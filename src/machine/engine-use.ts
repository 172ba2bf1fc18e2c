import { processTimes } from './busy.ts';
import type { MachineFiles } from './files.ts';

/** Names of an engine's processes, which the kernel cuts after 15 characters: the engine itself, and what it keeps beside each container. */
const ENGINE = /^(?:dockerd|containerd|containerd-shim|docker-proxy|podman|conmon)$/;

/** What one process used since it began: processor seconds, and context switches of the threads that it still has. */
interface Use {
  readonly cpuS: number;
  readonly switches: number;
}

/** Use by process. */
export type EngineUse = ReadonlyMap<string, Use>;

/** Reads what the processes of all engines of this machine used. */
export class EngineProcesses {
  readonly #files: MachineFiles;
  /** Processes that are no engine's, by the last search: beside a window, only the others are read. */
  #others: ReadonlySet<string> = new Set();

  constructor(files: MachineFiles) {
    this.#files = files;
  }

  /** Looks at every process, which takes milliseconds: for moments that are far from a window. */
  search(): EngineUse {
    const all = this.#files.entries('proc', /^\d+$/);
    const use = this.#useOf(all);
    this.#others = new Set(all.filter((process) => !use.has(process)));
    return use;
  }

  /** Reads the processes that the last search found, and those that began since. */
  read(): EngineUse {
    return this.#useOf(this.#files.entries('proc', /^\d+$/).filter((process) => !this.#others.has(process)));
  }

  #useOf(processes: readonly string[]): EngineUse {
    const files = this.#files;
    const own = [...processTimes(files, process.pid, processes)].filter(([, { name }]) => ENGINE.test(name));
    return new Map(own.map(([path, { seconds }]) => [path, { cpuS: seconds, switches: switches(files, path) }]));
  }
}

function switches(files: MachineFiles, process: string): number {
  const counts = files.entries(`${process}/task`).flatMap((thread) => {
    const status = files.text(`${thread}/status`) ?? '';
    return [...status.matchAll(/ctxt_switches:\s*(\d+)/g)].map(([, count]) => Number(count));
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Difference of two readings. A process that began in between counts in full, one that ended not at all. */
export function engineUsed(before: EngineUse, after: EngineUse): Use {
  const all = [...after].map(([process, use]) => ({ use, from: before.get(process) ?? { cpuS: 0, switches: 0 } }));
  const sum = (of: keyof Use): number =>
    all.reduce((total, { use, from }) => total + Math.max(0, use[of] - from[of]), 0);
  return { cpuS: sum('cpuS'), switches: sum('switches') };
}
