import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CLI = new URL('../../dist/cli.js', import.meta.url).pathname;

export interface MeasuredRun {
  readonly variant: string;
  readonly status: string;
  readonly startNs: bigint;
  readonly durationS: number;
}

/** Measures an experiment with the program as it is shipped, and reads its runs back. */
export async function measureRuns(
  folder: string,
  experiment: object,
): Promise<{ spawnedNs: bigint; runs: MeasuredRun[] }> {
  const file = join(folder, 'joulediff.yml');
  const out = join(folder, 'out');
  rmSync(out, { recursive: true, force: true });
  writeFileSync(file, JSON.stringify(experiment));
  const spawnedNs = process.hrtime.bigint();
  const child = spawn(process.execPath, [CLI, 'run', file, '--out', out], { stdio: ['ignore', 'ignore', 'pipe'] });
  let reported = '';
  child.stderr.on('data', (chunk) => (reported += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`joulediff ended with ${code}: ${reported}`);
  const [header, ...lines] = readFileSync(join(out, 'runs.csv'), 'utf8').trim().split(/\r?\n/);
  const column = (name: string): number => header?.split(',').indexOf(name) ?? -1;
  const runs = lines.map((line) => {
    const cell = line.split(',');
    return {
      variant: cell[column('variant')] ?? '',
      status: cell[column('status')] ?? '',
      startNs: BigInt(cell[column('start_ns')] ?? 0),
      durationS: Number(cell[column('duration_s')]),
    };
  });
  return { spawnedNs, runs };
}

/** Starts a measurement without waiting for it. */
export function startMeasuring(folder: string, experiment: object) {
  const file = join(folder, 'joulediff.yml');
  writeFileSync(file, JSON.stringify(experiment));
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  return spawn(process.execPath, [CLI, 'measure', file, '--out', join(folder, 'out')], { stdio: 'ignore' });
}

/** Processor seconds and peak memory (MiB) of a process so far. */
export function processUse(pid: number): { cpuS: number; peakMiB: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return { cpuS: (Number(fields[11]) + Number(fields[12])) / 100, peakMiB: Number(peak?.[1] ?? 0) / 1024 };
}
