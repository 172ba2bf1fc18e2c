import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { startEmulator } from '../emulators/start.ts';
import type { RunningGitea } from './real.ts';

/** A machine that measures: a runner with one meter, which is emulated. */
export interface MeasuringMachine {
  readonly meter: string;
  /** The state folder of the runner's user. */
  readonly state: string;
  /** Where jobs lie while they run. */
  readonly folder: string;
  /** Logs of runs that lie in the private folder of the experiment that is measured now. */
  logsWritten(): number;
  /** What all of its jobs printed. */
  log(): string;
  stop(): Promise<void>;
}

export interface MachineRequest {
  readonly gitea: RunningGitea;
  /** The runner that was built. */
  readonly program: string;
  readonly name: string;
  readonly labels: readonly string[];
  /** Of the emulator: what the machine takes. */
  readonly options?: readonly string[];
}

/** Sets a host name that only what follows sees, because results tell machines apart by it. Only root may; else all machines have that of this one. */
const NAMED = ['unshare', '--uts', 'sh', '-c', 'hostname "$0" && exec "$@"'];

/** Starts a machine and registers its runner. Machines on this one host keep out of each other's way by a lock of their own. */
export async function startMachine({
  gitea,
  program,
  name,
  labels,
  options = [],
}: MachineRequest): Promise<MeasuringMachine> {
  const folder = mkdtempSync(join(tmpdir(), `joulediff-${name}-`));
  const state = join(folder, 'state');
  const emulator = await startEmulator('mcp39f511n', '--noise', '0.2', ...options);
  const { token } = await gitea.api<{ token: string }>('POST', 'admin/actions/runners/registration-token');
  const named = process.getuid?.() === 0 ? [...NAMED, name] : [];
  const runner = [
    program,
    '-forge',
    gitea.url,
    '-token',
    token,
    '-name',
    name,
    '-labels',
    labels.join(','),
    '-folder',
    folder,
  ];
  const env = {
    ...process.env,
    // Its executor runs the first node on PATH, whatever action.yml says.
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    XDG_STATE_HOME: state,
    NODE_OPTIONS: '',
    JOULEDIFF_LOCK: `joulediff.test.${name}.${process.pid}`,
  };
  const [first = '', ...words] = [...named, ...runner];
  const child = spawn(first, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  let log = '';
  const ready = new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        log += chunk;
        if (log.includes('ready\n')) done();
      });
    }
    child.once('error', fail);
    void ended.then(() => fail(new Error(`the runner ended: ${log}`)));
  });
  const stop = async () => {
    child.kill();
    await ended;
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready;
  } catch (error) {
    await stop();
    throw error;
  }
  const logsWritten = () => globSync(join(state, 'joulediff/joulediff-measuring-*/logs/*')).length;
  return {
    logsWritten,
    meter: `mcp39f511n:${emulator.port}`,
    state,
    folder,
    log: () => log,
    stop,
  };
}
