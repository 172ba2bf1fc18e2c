import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse } from 'yaml';
import { NODE } from '../terminal/program.ts';

/** The program as it is shipped; JOULEDIFF_CLI names another one, to try a test before dist/ is built. */
export const CLI = process.env.JOULEDIFF_CLI ?? fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when the text was seen on stderr. */
  reported(text: string | RegExp): Promise<void>;
}

/** A name of its own for the machine's lock, so that test files can run side by side. */
const environment = {
  ...process.env,
  NODE_OPTIONS: '',
  NO_COLOR: '1',
  JOULEDIFF_LOCK: `joulediff.test.${process.pid}`,
};

export function start(words: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Started {
  const child = spawn(NODE[0], [...NODE.slice(1), CLI, ...words], {
    cwd: options.cwd ?? tmpdir(),
    env: { ...environment, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
  const reported = async (text: string | RegExp): Promise<void> => {
    const seen = () => (typeof text === 'string' ? stderr.includes(text) : text.test(stderr));
    let over = false;
    void ended.then(() => {
      over = true;
    });
    while (!seen() && !over) await new Promise((resolve) => setTimeout(resolve, 20));
    if (!seen()) throw new Error(`the program ended without telling ${text}: ${stderr}`);
  };
  return { child, ended, reported };
}

export const joulediff = (
  words: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> => start(words, options).ended;

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'joulediff-e2e-'));
  const remove = (): void => {
    for (const context of contexts) if (context.startsWith(path) && contexts.delete(context)) removeImages(context);
    rmSync(path, { recursive: true, force: true });
  };
  return { path, remove };
}

/** Folders that images may have been built from. */
const contexts = new Set<string>();

/**
 * A line of a Dockerfile by which `removeImages` finds whatever was built from it, in whatever checkout and under whatever name. The first after FROM:
 * steps that another test's images were built by as well would be taken from the engine's cache, and vanish with those in the middle of a build.
 */
export const markImages = (owner: string): string => `LABEL joulediff-test="${owner}"\n`;

export function removeImages(owner: string): void {
  const ids = docker('images', '--quiet', '--filter', `label=joulediff-test=${owner}`).split('\n').filter(Boolean);
  // One that another was built on is gone with it.
  if (ids.length > 0) spawnSync('docker', ['rmi', '--force', ...new Set(ids)]);
}

/** Writes an experiment file (JSON is YAML) and gives its path. */
export function experimentFile(folder: string, experiment: object, name = 'joulediff.yml'): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(experiment, null, 2));
  parse(readFileSync(path, 'utf8'));
  return path;
}

/** A folder to build an image from nothing but busybox in. What is built from it goes with the temporary folder that it is in. */
export function busyboxContext(folder: string): string {
  mkdirSync(folder, { recursive: true });
  copyFileSync('/bin/busybox', join(folder, 'busybox'));
  writeFileSync(
    join(folder, 'Dockerfile'),
    `FROM scratch\n${markImages(folder)}COPY busybox /bin/busybox\nRUN ["/bin/busybox", "--install", "/bin"]\n`,
  );
  contexts.add(folder);
  return folder;
}

export function docker(...words: string[]): string {
  const done = spawnSync('docker', words, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`docker ${words.join(' ')}: ${done.stderr}`);
  return done.stdout.trim();
}

/** Containers of one experiment that are still there. */
export const containersOf = (experimentId: string): string[] =>
  docker('ps', '-aq', '--filter', `label=joulediff.experiment=${experimentId}`).split('\n').filter(Boolean);

export type CsvRow = Readonly<Record<string, string>>;

export const readCsv = (path: string): CsvRow[] => parseCsv(readFileSync(path, 'utf8'), { columns: true });
