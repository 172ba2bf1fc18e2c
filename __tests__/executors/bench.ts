import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Docker from 'dockerode';
import tar from 'tar-fs';
import type { Execution } from '../../src/contracts/execution.ts';
import type { Workload } from '../../src/contracts/variant.ts';
import type { ContainerVariant } from '../../src/executors/container/variant.ts';
import type { Executor, ExecutorEnvironment, RunContext } from '../../src/executors/executor.ts';
import type { NativeVariant } from '../../src/executors/native/kind.ts';
import { makeExecutor, type Variant } from '../../src/executors/registry.ts';
import { findProcesses } from '../../src/processes/left-processes.ts';

export const docker = new Docker();

export function workload(given: Partial<Workload>): Workload {
  return { run: 'true', prepare: null, cleanup: null, env: {}, workdir: null, timeoutS: null, ...given };
}

export function native(given: Partial<Workload> = {}): NativeVariant {
  return { kind: 'native', name: 'native', workload: workload(given) };
}

type ContainerOptions = Partial<Omit<ContainerVariant, 'workload' | 'kind'>>;

export function container(image: string | null, given: Partial<Workload> = {}, more: ContainerOptions = {}) {
  const variant: ContainerVariant = {
    kind: 'container',
    name: 'container',
    workload: workload(given),
    image,
    build: null,
    pull: 'never',
    volumes: [],
    network: 'none',
    user: null,
    cpuset: null,
    cpus: null,
    memoryBytes: null,
    entrypoint: null,
    runtime: null,
    ...more,
  };
  return variant;
}

/** A folder, an experiment id of its own, and what an executor would be given by an experiment. */
export class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), 'joulediff-executors-'));
  readonly experimentId = `test-${randomUUID()}`;
  readonly stop = new AbortController();
  readonly lines: string[] = [];
  readonly logFile = join(this.folder, 'run.log');
  #runs = 0;
  readonly #lasting: (() => Promise<void>)[] = [];

  environment(inheritedEnv: Record<string, string> = { PATH: process.env.PATH ?? '' }): ExecutorEnvironment {
    const { experimentId, folder, lines } = this;
    const atEnd = (letGo: () => Promise<void>): void => void this.#lasting.push(letGo);
    return { experimentId, directory: folder, inheritedEnv, passedEnv: {}, log: (line) => lines.push(line), atEnd };
  }

  context(more: Pick<RunContext, 'executions' | 'ownStarts' | 'phaseLines' | 'stampsOutput'> = {}): RunContext {
    this.#runs += 1;
    const { experimentId, logFile } = this;
    return { experimentId, runId: this.#runs, logFile, signal: this.stop.signal, ...more };
  }

  async ready(variant: Variant, inheritedEnv?: Record<string, string>): Promise<Executor> {
    const executor = await makeExecutor(variant, this.environment(inheritedEnv));
    await executor.setup(this.stop.signal);
    return executor;
  }

  /** One run from set-up to disposal. */
  async once(variant: Variant, inheritedEnv?: Record<string, string>): Promise<Execution> {
    const executor = await this.ready(variant, inheritedEnv);
    const run = await executor.prepare(this.context());
    try {
      const execution = await run.execute({ onEdge() {} });
      return (await run.settle?.(execution)) ?? execution;
    } finally {
      await run.dispose();
    }
  }

  log(): string {
    return existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : '';
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async file(name: string, text: string, mode = 0o644): Promise<string> {
    const path = this.path(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode });
    return path;
  }

  /** Whether a process with the marks of this bench's experiment is there. */
  processes(): readonly number[] {
    return findProcesses(({ variable }) => variable('JOULEDIFF_EXPERIMENT') === this.experimentId);
  }

  hasProcesses(): boolean {
    return this.processes().length > 0;
  }

  containers(): Promise<Docker.ContainerInfo[]> {
    return docker.listContainers({ all: true, filters: { label: [`joulediff.experiment=${this.experimentId}`] } });
  }

  /** As at the end of an experiment's session. */
  async end(): Promise<void> {
    for (const letGo of this.#lasting.splice(0).reverse()) await letGo();
  }

  async close(): Promise<void> {
    await this.end();
    for (const { Id } of await this.containers()) await docker.getContainer(Id).remove({ force: true, v: true });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Images that stay until all tests are over, and may share their first steps. */
const SHARED = /^joulediff-test[:/]/;

/** An image made from nothing but busybox; `lines` are added to its Dockerfile. What a test removes itself has no step in common with others. */
export async function testImage(tag: string, lines: readonly string[] = []): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-image-'));
  try {
    await copyFile('/bin/busybox', join(folder, 'busybox'));
    const from = ['FROM scratch', ...(SHARED.test(tag) ? [] : [`LABEL joulediff-test=${JSON.stringify(tag)}`])];
    const made = ['COPY busybox /bin/busybox', 'RUN ["/bin/busybox", "--install", "-s", "/bin"]', 'ENV PATH=/bin'];
    await writeFile(join(folder, 'Dockerfile'), [...from, ...made, ...lines, ''].join('\n'));
    const archive = tar.pack(folder) as unknown as NodeJS.ReadableStream;
    const stream = await docker.buildImage(archive, { t: tag });
    const events = await new Promise<{ error?: string }[]>((done, fail) => {
      docker.modem.followProgress(stream, (error, output) => (error ? fail(error) : done(output)));
    });
    const error = events.find((event) => event.error)?.error;
    if (error) throw new Error(error);
    return tag;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until `condition` holds: what is asserted is that it comes to hold at all. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

/** The same in the course of something, whose failure before that is thrown. */
export async function during(going: Promise<unknown>, condition: () => boolean | Promise<boolean>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  going.then(over, over);
  await eventually(async () => isOver || (await condition()));
  if (isOver) await going;
}

/** Whether a process is there and isn't a zombie. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The number in a file that a workload writes, once it is there. */
export async function pidIn(path: string): Promise<number> {
  await eventually(() => existsSync(path) && /\d+\n/.test(readFileSync(path, 'utf8')));
  return Number(readFileSync(path, 'utf8'));
}
