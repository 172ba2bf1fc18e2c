import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { eventually } from '../bench.ts';

/** An engine of its own, that may be stopped and killed: the machine's other containers know nothing of it. */
export class OwnEngine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'joulediff-engine-'));
  readonly #socket = join(this.#folder, 'docker.sock');
  readonly host = `unix://${this.#socket}`;
  readonly docker = new Docker({ socketPath: this.#socket });
  #daemon: ChildProcess | null = null;
  #said = '';

  get #command(): readonly string[] {
    const at = (name: string): string => join(this.#folder, name);
    const folders = ['--data-root', at('data'), '--exec-root', at('exec'), '--pidfile', at('pid'), '-H', this.host];
    const apart = ['--bridge=none', '--iptables=false', '--ip6tables=false', '--storage-driver=vfs'];
    // In a network namespace of its own: a daemon without a bridge removes the bridge of the machine's own engine.
    return ['unshare', '--net', 'dockerd', ...folders, ...apart];
  }

  /** What stops it and what starts it, as of a service. */
  get commands(): { readonly stop: string; readonly start: string } {
    const pid = `$(cat ${join(this.#folder, 'pid')})`;
    return {
      stop: `pid=${pid}; kill $pid; while kill -0 $pid 2> /dev/null; do sleep 0.05; done`,
      start: `${this.#command.join(' ')} > /dev/null 2>&1 &`,
    };
  }

  /** `runtimes`: names and programs that it has beside runc. */
  async start(runtimes: Readonly<Record<string, string>> = {}): Promise<void> {
    const [program = '', ...words] = this.#command;
    const more = Object.entries(runtimes).map(([name, path]) => `--add-runtime=${name}=${path}`);
    const daemon = spawn(program, [...words, ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#daemon = daemon;
    daemon.stderr?.on('data', (text) => {
      this.#said += text;
    });
    await eventually(async () => {
      if (daemon.exitCode !== null) throw new Error(`dockerd ended: ${this.#said}`);
      return this.docker.ping().then(
        () => true,
        () => false,
      );
    });
  }

  /** Ends it and waits for that. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = null;
    if (daemon === null || daemon.exitCode !== null) return;
    const ended = new Promise((resolve) => daemon.once('exit', resolve));
    daemon.kill(signal);
    await ended;
  }

  /** Makes an image of nothing but busybox, as a shell with sleep and cat. */
  image(name: string): void {
    const rootfs = join(this.#folder, 'rootfs');
    mkdirSync(join(rootfs, 'bin'), { recursive: true });
    copyFileSync('/bin/busybox', join(rootfs, 'bin', 'busybox'));
    for (const name of ['sh', 'sleep', 'cat', 'true']) symlinkSync('busybox', join(rootfs, 'bin', name));
    const change = ['--change', 'ENV PATH=/bin'];
    const script = `tar -C ${rootfs} -c . | docker -H ${this.host} import ${change.map((word) => `'${word}'`).join(' ')} - ${name}`;
    const { status, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  /** Makes an image look as if it had been given its tag so many days ago, by the file in which this engine keeps that. */
  age(imageId: string, days: number): void {
    const [kind = '', digest = ''] = imageId.split(':');
    const file = join(this.#folder, 'data/image/vfs/imagedb/metadata', kind, digest, 'lastUpdated');
    writeFileSync(file, new Date(Date.now() - days * 86_400_000).toISOString());
  }

  /** A killed daemon leaves its containerd, which the next one takes over and ends. */
  async remove(): Promise<void> {
    if (this.#daemon === null) await this.start().catch(() => {});
    await this.end('SIGTERM');
    spawnSync('sh', ['-c', `test ! -e ${join(this.#folder, 'pid')} || { ${this.commands.stop}; }`]);
    const containerd = join(this.#folder, 'exec/containerd/containerd.pid');
    await eventually(() => {
      try {
        process.kill(Number(readFileSync(containerd, 'utf8')), 0);
        return false;
      } catch {
        return true;
      }
    });
    // What a killed daemon had mounted.
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '');
    for (const path of mounted.filter((one) => one.startsWith(this.#folder))) spawnSync('umount', ['-l', path]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
