import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';

const ENGINE = '/var/run/docker.sock';

/** A socket behind which the real engine answers until it is told to stop or to hang: nobody may stop the one that other tests use. */
export class EngineLine implements AsyncDisposable {
  readonly path: string;
  readonly #open = new Set<Socket>();
  #server: Server | null = null;
  #hangs = false;

  static async open(path: string): Promise<EngineLine> {
    const line = new EngineLine(path);
    await line.start();
    return line;
  }

  private constructor(path: string) {
    this.path = path;
  }

  /** It answers, again. */
  async start(): Promise<void> {
    this.stop();
    this.#hangs = false;
    this.#server = createServer((client) => {
      this.#keep(client);
      if (this.#hangs) return;
      const engine = this.#keep(connect(ENGINE));
      client.pipe(engine).pipe(client);
    }).listen(this.path);
    await once(this.#server, 'listening');
  }

  /** It is gone, with every connection. */
  stop(): void {
    this.#server?.close();
    this.#server = null;
    rmSync(this.path, { force: true });
    for (const socket of this.#open) socket.destroy();
  }

  /** It takes connections, and says nothing. */
  hang(): void {
    this.#hangs = true;
    for (const socket of this.#open) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
  }

  #keep(socket: Socket): Socket {
    this.#open.add(socket);
    return socket.on('error', () => {}).on('close', () => this.#open.delete(socket));
  }
}
