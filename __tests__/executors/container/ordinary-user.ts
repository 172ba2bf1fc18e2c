import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../bench.ts';

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** What is missing here to have one that can be root in namespaces of its own; null: nothing. */
export function lackForUsers(...more: readonly string[]): string | null {
  if (process.getuid?.() !== 0) return 'root';
  return ['useradd', 'userdel', 'setpriv', 'newuidmap', ...more].find((program) => !isThere(program)) ?? null;
}

/** Whether any user may read it, as far as the rights of its folders tell. */
export function isOpenToAll(path: string): boolean {
  const real = realpathSync(path);
  const folders = real.split('/').map((_, i, parts) => parts.slice(0, i).join('/') || '/');
  return (statSync(real).mode & 0o4) !== 0 && folders.every((folder) => (statSync(folder).mode & 0o1) !== 0);
}

/** A user without root's rights, with a folder that is home and holds all that runs of it. `remove()` leaves neither a process nor a line in /etc. */
export class OrdinaryUser {
  readonly home: string;
  readonly uid: number;
  readonly gid: number;
  readonly name: string;

  constructor() {
    const base = mkdtempSync(join(tmpdir(), 'joulediff-user-'));
    this.home = base;
    this.name = `jd-${base
      .slice(-6)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')}-${process.pid}`;
    // It comes with a range of ids for namespaces, and with a password that nobody has: sshd lets no user in whose password is locked.
    run('useradd', [
      '--no-create-home',
      '--home-dir',
      base,
      '--shell',
      '/bin/sh',
      '--user-group',
      '--password',
      '*',
      this.name,
    ]);
    const ids = ['-u', '-g'].map((word) => Number(run('id', [word, this.name]))) as [number, number];
    [this.uid, this.gid] = ids;
    mkdirSync(join(base, 'run'), { mode: 0o700 });
    for (const path of [base, join(base, 'run')]) chownSync(path, this.uid, this.gid);
    chmodSync(base, 0o711);
  }

  get env(): Record<string, string> {
    const { PATH = '', JOULEDIFF_TEST_RUN } = process.env;
    return {
      PATH,
      HOME: this.home,
      USER: this.name,
      TMPDIR: this.home,
      XDG_RUNTIME_DIR: join(this.home, 'run'),
      ...(JOULEDIFF_TEST_RUN !== undefined && { JOULEDIFF_TEST_RUN }),
    };
  }

  /** `first`: what root starts it with. */
  start(words: readonly string[], { env, ...options }: SpawnOptions = {}, first: readonly string[] = []): ChildProcess {
    const [program = '', ...others] = [...first, 'setpriv', ...this.#as(words)];
    return spawn(program, others, { cwd: this.home, env: { ...this.env, ...env }, ...options });
  }

  run(words: readonly string[], input?: Buffer, env: NodeJS.ProcessEnv = {}): string {
    return run('setpriv', this.#as(words), { cwd: this.home, env: { ...this.env, ...env }, input });
  }

  #as(words: readonly string[]): string[] {
    return [`--reuid=${this.uid}`, `--regid=${this.gid}`, '--clear-groups', '--', ...words];
  }

  /** What runs of it: number and command. */
  processes(): { readonly pid: number; readonly command: string }[] {
    return readdirSync('/proc').flatMap((entry) => {
      const status = /^\d+$/.test(entry) ? textOf(entry, 'status') : '';
      const isOurs = new RegExp(`^Uid:\t${this.uid}\t`, 'm').test(status) && !/^State:\s+[ZX]/m.test(status);
      return isOurs ? [{ pid: Number(entry), command: textOf(entry, 'cmdline').replaceAll('\0', ' ') }] : [];
    });
  }

  async remove(): Promise<void> {
    await eventually(() => {
      const left = this.processes();
      for (const { pid } of left) spawnSync('kill', ['-KILL', String(pid)]);
      return left.length === 0;
    });
    run('userdel', [this.name]);
    rmSync(this.home, { recursive: true, force: true });
  }
}

function textOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function run(program: string, words: readonly string[], options: object = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...options,
  });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr}`);
  return stdout.trim();
}
