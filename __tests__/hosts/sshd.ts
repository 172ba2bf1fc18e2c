import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { isOpenToAll, type OrdinaryUser } from '../executors/container/ordinary-user.ts';

export const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/sbin/sshd'].find((path) => existsSync(path)) ?? null;

/** What every Python of the machine under test runs first: its clock is an hour off, and 100 millionths too fast. */
export const SKEW = { offsetNs: 3_600_000_000_000n, rate: 1.0001 };
const SKEWED = `import time; _c = time.clock_gettime_ns; time.clock_gettime_ns = lambda c: int(_c(c) * ${SKEW.rate}) + ${SKEW.offsetNs}`;

/** Whether a network of its own can be made for a second machine: that needs root, iproute2 and TUN devices. */
export const CAN_NETWORK =
  SSHD !== null &&
  process.getuid?.() === 0 &&
  existsSync('/dev/net/tun') &&
  ['/sbin/ip', '/usr/sbin/ip', '/bin/ip'].some((path) => existsSync(path));

/** How packets get there, each way. */
export interface Network {
  readonly delayMs: number;
  readonly jitterMs: number;
  readonly lossPercent: number;
}

export interface SecondMachine extends Disposable {
  /** How joulediff is told of it. */
  readonly address: string;
  /** For files of the test's own. */
  readonly folder: string;
  /** Temporary folders of that machine's helper, as far as they are there. */
  left(): string[];
  /** Has a file of the whole machine say something else to a helper that is started later. */
  pretend(path: string, text: string): void;
  /** Has Docker's engine of that machine be asked at another socket, there and through ssh; null: at its own again. */
  engineAt(path: string | null): void;
  /** Ends every connection that is there; those made later are good. */
  cut(): void;
}

/**
 * A real sshd as a second machine, behind a line with a delay: it is started for each connection by the client's own ProxyCommand, so it needs no
 * port and nothing of it outlives a connection. It is reached by a name of the "user's" ssh configuration, with that user's key and known host.
 * The ssh that is found first is the system's, told to read that configuration.
 */
export function secondMachine({ delayMs = 0, jitterMs = 0, skewed = true } = {}): SecondMachine {
  const machine = makeMachine(skewed);
  const { at } = machine;
  writeFileSync(at('line.mjs'), lineProgram(machine.folder, delayMs, jitterMs));
  machine.reachedBy(`ProxyCommand ${process.execPath} ${at('line.mjs')}`);
  return {
    ...machine.shown,
    cut: () => writeFileSync(at('cut'), String(Date.now())),
    [Symbol.dispose]: machine.remove,
  };
}

export interface NetworkedMachine extends SecondMachine, AsyncDisposable {
  /** Loses every packet from now on, or no more than usual. */
  dark(isDark: boolean): void;
  /** Where it finds this machine. */
  readonly here: string;
}

/** The same in a network namespace of its own, behind a network that is slow and loses packets: its sshd listens, and speaks TCP. `user`: whose it is. */
export async function networkedMachine(network: Network, user?: OrdinaryUser): Promise<NetworkedMachine> {
  const machine = makeMachine(true, user);
  const { at } = machine;
  // Addresses of benchmarks (RFC 2544), which no network uses.
  const net = 4 * Math.floor(32_000 * Math.random());
  const address = (n: number): string => `198.${18 + (net >> 16)}.${(net >> 8) & 255}.${(net & 255) + n}`;
  const [here, there] = [address(1), address(2)];
  const { delayMs, jitterMs, lossPercent } = network;
  const device = `jd${process.pid.toString(36)}${net.toString(36)}`.slice(0, 15);
  const words = [device, here, there, delayMs, jitterMs, lossPercent, 1].map(String);
  const server = [SSHD ?? '', '-D', '-f', at('sshd_config'), '-o', `ListenAddress=${there}`];
  const program = join(import.meta.dirname, 'network.py');
  const line = spawn('python3', [program, ...words, ...server], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(line, 'exit');
  await Promise.race([
    once(line.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('the network could not be made'))),
  ]);
  machine.reachedBy(`HostName ${there}`, 'HostKeyAlias sut');
  const end = async (): Promise<void> => {
    line.stdin.end();
    await ended;
    machine.remove();
  };
  return {
    ...machine.shown,
    here,
    cut: () => line.stdin.write('cut\n'),
    dark: (isDark) => line.stdin.write(isDark ? 'dark\n' : 'light\n'),
    [Symbol.dispose]: () => void end(),
    [Symbol.asyncDispose]: end,
  };
}

/** Keys, configuration and programs of a second machine, and the ssh that reaches it once it is told how. */
function makeMachine(skewed: boolean, user?: OrdinaryUser) {
  const folder = mkdtempSync(join(tmpdir(), 'sut-'));
  if (user !== undefined) chmodSync(folder, 0o711);
  const at = (name: string) => join(folder, name);
  for (const key of ['host_key', 'user_key']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)]);
  }
  const username = user?.name ?? userInfo().username;
  mkdirSync(at('bin'));
  // A place of its own for what the helper makes there.
  mkdirSync(at('tmp'));
  if (user !== undefined) chownSync(at('tmp'), user.uid, user.gid);
  // Made by the start of the service, where one is installed; sshd needs it as root.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  writeFileSync(at('authorized_keys'), readFileSync(at('user_key.pub')));
  writeFileSync(
    at('sshd_config'),
    [
      `HostKey ${at('host_key')}`,
      `AuthorizedKeysFile ${at('authorized_keys')}`,
      ...[
        'UsePAM no',
        'StrictModes no',
        'PasswordAuthentication no',
        'PermitRootLogin yes',
        'PidFile none',
        'UseDNS no',
        // Bash reads the user's start-up file for the first shell of an ssh session: what that does takes seconds where many begin at once.
        'SetEnv SHLVL=2',
      ],
      `ForceCommand ${at('bin/session')}`,
      '',
    ].join('\n'),
  );
  writeFileSync(at('known_hosts'), `sut ${readFileSync(at('host_key.pub'), 'utf8')}`);
  // Itself, and not a script of some version manager in front of it, which takes its time at each start.
  const found = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  const python = user === undefined || isOpenToAll(found) ? found : '/usr/bin/python3';
  // A shell's start-up files may set PATH anew, so it is set after them.
  const session = `#!/bin/sh\nexport PATH=${at('bin')}:/usr/local/bin:/usr/bin:/bin TMPDIR=${at('tmp')} JOULEDIFF_LOCK=${basename(folder)}\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n`;
  writeFileSync(at('bin/session'), session, { mode: 0o755 });
  // `python3 -I -u -c PROGRAM`
  const other = `import builtins, os; _o = builtins.open; builtins.open = lambda p, *a, **k: _o("${at('pretended')}" + p if os.path.exists("${at('pretended')}" + str(p)) else p, *a, **k)`;
  const engine = `import socket; _e = socket.socket.connect; socket.socket.connect = lambda s, a: _e(s, _o("${at('engine')}").read() if a == "/var/run/docker.sock" and os.path.exists("${at('engine')}") else a)`;
  const first = `${skewed ? SKEWED : 'pass'}\n${other}\n${engine}\nexec(__import__("sys").argv[1])`;
  writeFileSync(at('bin/python3'), `#!/bin/sh\nexec ${python} -I -u -c '${first}' "$4"\n`, { mode: 0o755 });
  const before = process.env.PATH;
  mkdirSync(at('client'));
  const ssh = [
    '#!/bin/sh',
    `if [ -e ${at('engine')} ]; then`,
    `  for word; do shift; case $word in *:/var/run/docker.sock) word=\${word%%:*}:$(cat ${at('engine')});; esac; set -- "$@" "$word"; done`,
    'fi',
    `exec /usr/bin/ssh -F ${at('ssh_config')} "$@"`,
    '',
  ];
  writeFileSync(at('client/ssh'), ssh.join('\n'), { mode: 0o755 });
  process.env.PATH = `${at('client')}${delimiter}${before}`;
  return {
    folder,
    at,
    /** `how`: lines of the configuration. */
    reachedBy(...how: readonly string[]) {
      const lines = [
        'Host sut',
        ...[`User ${username}`, `IdentityFile ${at('user_key')}`, 'IdentitiesOnly yes'],
        ...[`UserKnownHostsFile ${at('known_hosts')}`, 'GlobalKnownHostsFile none', ...how],
      ];
      writeFileSync(at('ssh_config'), `${lines.join('\n  ')}\n`);
    },
    shown: {
      address: 'ssh://sut',
      folder,
      left: () =>
        execFileSync('ls', [at('tmp')], { encoding: 'utf8' })
          .split('\n')
          .filter(Boolean),
      pretend(path: string, text: string) {
        mkdirSync(dirname(join(at('pretended'), path)), { recursive: true });
        writeFileSync(join(at('pretended'), path), text);
      },
      engineAt: (path: string | null) => (path === null ? rmSync(at('engine')) : writeFileSync(at('engine'), path)),
    },
    remove() {
      process.env.PATH = before;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A line with a delay to a new sshd: what comes from either side goes on after it, in its order. */
const lineProgram = (folder: string, delayMs: number, jitterMs: number): string => `
import { spawn } from 'node:child_process';
import { existsSync, statSync, watchFile } from 'node:fs';
const began = existsSync('${folder}/cut') ? statSync('${folder}/cut').mtimeMs : 0;
const sshd = spawn('${SSHD}', ['-i', '-f', '${folder}/sshd_config'], { stdio: ['pipe', 'pipe', 'ignore'] });
const later = (to) => {
  let last = Promise.resolve();
  return (chunk) => {
    const at = performance.now() + ${delayMs} + ${jitterMs} * Math.random();
    last = last.then(async () => {
      // A timer of a busy process may fire too early.
      while (performance.now() < at) await new Promise((wake) => setTimeout(wake, at - performance.now()));
      to.write(chunk);
    });
  };
};
process.stdin.on('data', later(sshd.stdin)).on('end', () => { sshd.kill(); process.exit(); });
process.stdout.on('error', () => {});
sshd.stdin.on('error', () => {});
sshd.stdout.on('data', later(process.stdout));
sshd.on('close', () => setTimeout(() => process.exit(), ${2 * (delayMs + jitterMs)} + 50));
watchFile('${folder}/cut', { interval: 50 }, ({ mtimeMs }) => {
  if (mtimeMs <= began) return;
  process.exit();
});
`;
