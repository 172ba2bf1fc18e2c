import { processTimes } from './busy.ts';
import type { MachineFiles } from './files.ts';

/** Names of an engine's processes, which the kernel cuts after 15 characters: the engine itself, and what it keeps beside each container. */
const ENGINE = /^(?:dockerd|containerd|containerd-shim|docker-proxy|podman|conmon)$/;

/** What one process used since it began: processor seconds, and context switches of the threads that it still has. */
interface Use {
  readonly cpuS: number;
  readonly switches: number;
}

/** By process. */
export type EngineUse = ReadonlyMap<string, Use>;

/** Of all engines of this machine. `among`: only these processes are looked for, which takes a tenth of the time. */
export function engineUse(files: MachineFiles, among?: EngineUse): EngineUse {
  const processes = [...processTimes(files, process.pid, among && [...among.keys()])].filter(([, { name }]) =>
    ENGINE.test(name),
  );
  return new Map(processes.map(([path, { seconds }]) => [path, { cpuS: seconds, switches: switches(files, path) }]));
}

function switches(files: MachineFiles, process: string): number {
  const counts = files.entries(`${process}/task`).flatMap((thread) => {
    const status = files.text(`${thread}/status`) ?? '';
    return [...status.matchAll(/ctxt_switches:\s*(\d+)/g)].map(([, count]) => Number(count));
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Between two readings. A process that began meanwhile counts in full, one that ended not at all. */
export function engineUsed(before: EngineUse, after: EngineUse): Use {
  const all = [...after].map(([process, use]) => ({ use, from: before.get(process) ?? { cpuS: 0, switches: 0 } }));
  const sum = (of: keyof Use): number =>
    all.reduce((total, { use, from }) => total + Math.max(0, use[of] - from[of]), 0);
  return { cpuS: sum('cpuS'), switches: sum('switches') };
}
