import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

export const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/sbin/sshd'].find((path) => existsSync(path)) ?? null;

/** What every Python of the machine under test runs first: its clock is an hour off, and 100 millionths too fast. */
export const SKEW = { offsetNs: 3_600_000_000_000n, rate: 1.0001 };
const SKEWED = `import time; _c = time.clock_gettime_ns; time.clock_gettime_ns = lambda c: int(_c(c) * ${SKEW.rate}) + ${SKEW.offsetNs}`;

export interface SecondMachine extends Disposable {
  /** How joulediff is told of it. */
  readonly address: string;
  /** For files of the test's own. */
  readonly folder: string;
  /** Temporary folders of that machine's helper, as far as they are there. */
  left(): string[];
  /** Has a file of the whole machine say something else to a helper that is started later. */
  pretend(path: string, text: string): void;
  /** Ends every connection that is there; those made later are good. */
  cut(): void;
}

/**
 * A real sshd as a second machine, behind a line with a delay: it is started for each connection by the client's own ProxyCommand, so it needs no
 * port and nothing of it outlives a connection. It is reached by a name of the "user's" ssh configuration, with that user's key and known host.
 * The ssh that is found first is the system's, told to read that configuration.
 */
export function secondMachine({ delayMs = 0, jitterMs = 0, skewed = true } = {}): SecondMachine {
  const folder = mkdtempSync(join(tmpdir(), 'sut-'));
  const at = (name: string) => join(folder, name);
  for (const key of ['host_key', 'user_key']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)]);
  }
  const { username } = userInfo();
  mkdirSync(at('bin'));
  // A place of its own for what the helper makes there.
  mkdirSync(at('tmp'));
  // Made by the start of the service, where one is installed; sshd needs it as root.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  writeFileSync(at('authorized_keys'), readFileSync(at('user_key.pub')), { mode: 0o600 });
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
      ],
      `ForceCommand ${at('bin/session')}`,
      '',
    ].join('\n'),
  );
  writeFileSync(at('known_hosts'), `sut ${readFileSync(at('host_key.pub'), 'utf8')}`);
  writeFileSync(
    at('ssh_config'),
    [
      'Host sut',
      `  User ${username}`,
      `  IdentityFile ${at('user_key')}`,
      '  IdentitiesOnly yes',
      `  UserKnownHostsFile ${at('known_hosts')}`,
      '  GlobalKnownHostsFile none',
      `  ProxyCommand ${process.execPath} ${at('line.mjs')}`,
      '',
    ].join('\n'),
  );
  writeFileSync(at('line.mjs'), lineProgram(folder, delayMs, jitterMs));
  const python = execFileSync('sh', ['-c', 'command -v python3'], { encoding: 'utf8' }).trim();
  // A shell's start-up files may set PATH anew, so it is set after them.
  const session = `#!/bin/sh\nexport PATH=${at('bin')}:/usr/local/bin:/usr/bin:/bin TMPDIR=${at('tmp')}\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n`;
  writeFileSync(at('bin/session'), session, { mode: 0o755 });
  // `python3 -I -u -c PROGRAM`
  const other = `import builtins, os; _o = builtins.open; builtins.open = lambda p, *a, **k: _o("${at('pretended')}" + p if os.path.exists("${at('pretended')}" + str(p)) else p, *a, **k)`;
  const first = `${skewed ? SKEWED : 'pass'}\n${other}\nexec(__import__("sys").argv[1])`;
  writeFileSync(at('bin/python3'), `#!/bin/sh\nexec ${python} -I -u -c '${first}' "$4"\n`, { mode: 0o755 });
  const before = process.env.PATH;
  mkdirSync(at('client'));
  writeFileSync(at('client/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${at('ssh_config')} "$@"\n`, { mode: 0o755 });
  process.env.PATH = `${at('client')}${delimiter}${before}`;
  return {
    address: 'ssh://sut',
    folder,
    left: () =>
      execFileSync('ls', [at('tmp')], { encoding: 'utf8' })
        .split('\n')
        .filter(Boolean),
    pretend(path, text) {
      mkdirSync(dirname(join(at('pretended'), path)), { recursive: true });
      writeFileSync(join(at('pretended'), path), text);
    },
    cut: () => writeFileSync(at('cut'), String(Date.now())),
    [Symbol.dispose]() {
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
    last = last.then(() => new Promise((wake) => setTimeout(wake, at - performance.now()))).then(() => to.write(chunk));
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
