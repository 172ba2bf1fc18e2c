import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** In the place of `json`. */
  readonly body?: Buffer;
  /** `hang`: never answers. `reset`: drops the connection. `break`: drops it after the body. */
  readonly instead?: 'hang' | 'reset' | 'break';
}

export interface Server {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** A server on a free port of 127.0.0.1 that answers every request with what `answer` makes of it. */
export async function serve(answer: (request: Request) => Reply | Promise<Reply>): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) {
      chunks.push(chunk);
    }
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`);
    const request = { method: incoming.method ?? '', url, headers: incoming.headers, body: Buffer.concat(chunks) };
    const reply = await Promise.resolve()
      .then(() => answer(request))
      .catch((error: unknown): Reply => ({ status: 500, json: { message: String(error) } }));
    if (reply.instead === 'reset') {
      incoming.socket.destroy();
    } else if (reply.instead === 'break') {
      outgoing.writeHead(reply.status, reply.headers);
      outgoing.write(reply.body ?? '', () => incoming.socket.destroy());
    } else if (reply.instead !== 'hang') {
      outgoing.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8', ...reply.headers });
      outgoing.end(reply.body ?? (reply.json === undefined ? undefined : JSON.stringify(reply.json)));
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
