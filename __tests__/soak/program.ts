import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { CLI } from '../e2e/program.ts';

/** What the running program holds, sampled from /proc. */
export interface Held {
  /** Since its start, milliseconds. */
  readonly atMs: number;
  readonly descriptors: number;
  readonly memoryBytes: number;
}

export interface Session {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly pid: number;
  readonly held: readonly Held[];
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<Session>;
  isOver(): boolean;
  /** Waits so long, or until it is over. */
  after(ms: number): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

const SAMPLE_MS = 100;
/** Longest that a session may take: a program that hangs is a finding, too. */
const HANGS_MS = 180_000;

/** Starts the shipped program and watches what it holds until it ends. */
export function startProgram(words: readonly string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn(process.execPath, [CLI, ...words], { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  const pid = child.pid ?? 0;
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk) => (texts[name] += chunk));
  const held: Held[] = [];
  const from = performance.now();
  const sampling = setInterval(() => {
    const now = holdsOf(pid);
    if (now !== null) held.push({ ...now, atMs: performance.now() - from });
  }, SAMPLE_MS);
  const hanging = setTimeout(() => {
    texts.stderr += `\nsoak: it did not finish within ${HANGS_MS / 1000} s\n`;
    child.kill('SIGKILL');
  }, HANGS_MS);
  let over = false;
  const ended = new Promise<Session>((resolve) => {
    child.once('close', (code, signal) => {
      over = true;
      clearInterval(sampling);
      clearTimeout(hanging);
      resolve({ code, signal, ...texts, pid, held });
    });
  });
  return {
    pid,
    ended,
    isOver: () => over,
    after: async (ms) => {
      await Promise.race([wait(ms), ended]);
    },
    kill: (signal) => void child.kill(signal),
  };
}

function holdsOf(pid: number): Pick<Held, 'descriptors' | 'memoryBytes'> | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { descriptors: readdirSync(`/proc/${pid}/fd`).length, memoryBytes: Number(kilobytes) * 1024 };
  } catch {
    return null; // ended meanwhile
  }
}
