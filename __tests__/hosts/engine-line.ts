import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const ENGINE = '/var/run/docker.sock';
const REFUSAL =
  'HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\nContent-Length: 18\r\n\r\n{"message":"busy"}';
const PIECE_BYTES = 100;

/** A socket behind which the real engine answers until it is told to stop or to hang: nobody may stop the one that other tests use. */
export class EngineLine implements AsyncDisposable {
  readonly path: string;
  /** Whether it refuses a request, given by its first line. */
  refuses: (request: string) => boolean = () => false;
  /** Whether answers come in small pieces. */
  isSlow = false;
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
      client.on('data', (chunk: Buffer) => {
        if (this.refuses(chunk.toString('latin1').split('\r\n')[0] ?? '')) client.write(REFUSAL);
        else engine.write(chunk);
      });
      client.on('end', () => engine.end());
      (this.isSlow ? engine.pipe(inPieces()) : engine).pipe(client);
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

function inPieces(): Transform {
  return new Transform({
    async transform(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        this.push(chunk.subarray(at, at + PIECE_BYTES));
        await sleep(2);
      }
      done();
    },
  });
}
