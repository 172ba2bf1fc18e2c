import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * The terminal program from its source. Where `npm test` has built that into one file for all tests (JOULEDIFF_TEST_BUILT), it is this one: it
 * starts with a third of the processor time.
 */
export const entry = process.env.JOULEDIFF_TEST_BUILT || fileURLToPath(new URL('./entry.ts', import.meta.url));

/**
 * Node.js for a program that draws its pictures once: V8's second compiler would take a third of all the processor time for code that has ended before
 * it is ready.
 */
export const NODE = [process.execPath, '--liftoff-only'] as const;

export interface Program {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when `seen` holds for what was printed so far; rejects when the program ends before. */
  until(seen: (program: Program) => boolean): Promise<void>;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** The terminal program from its source, in a process of its own. */
export function start(words: readonly string[], env: NodeJS.ProcessEnv = {}, cwd?: string): Program {
  const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const];
  return watched(spawn(NODE[0], [...NODE.slice(1), entry, ...words], { stdio, env: clean(env), cwd }));
}

/**
 * The same on a terminal of its own, so wide: what it prints is stdout; what is written to the child's stdin is typed, so that \x03
 * is Ctrl-C. Its exit code is printed in the end.
 */
export function startOnTerminal(words: readonly string[], columns: number, env: NodeJS.ProcessEnv = {}): Program {
  const command = `trap true INT; stty cols ${columns}; ${[...NODE, entry, ...words].join(' ')}; echo "exit code $?"`;
  const address = `SYSTEM:${command.replace(/[:,!"'\\]/g, '\\$&')},pty,setsid,ctty,stderr`;
  return watched(spawn('socat', ['-t5', '-', address], { stdio: ['pipe', 'pipe', 'pipe'], env: clean(env) }));
}

const clean = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...process.env, NODE_OPTIONS: '', ...env });

function watched(child: ChildProcess): Program {
  let stdout = '';
  let stderr = '';
  let over = false;
  let changed = () => {};
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
    changed();
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
    changed();
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => {
      over = true;
      changed();
      resolve({ code, stdout, stderr });
    });
  });
  const program: Program = {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    async until(seen) {
      while (!seen(program)) {
        if (over) throw new Error(`the program ended too early: ${stdout}${stderr}`);
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    },
  };
  return program;
}
