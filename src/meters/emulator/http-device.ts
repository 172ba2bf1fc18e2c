import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { InputError } from '../../errors.ts';
import { SYSTEM_CLOCK, sleep } from '../../system/clock.ts';
import { selfSigned } from './certificate.ts';

export interface DeviceQuestion {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Body of a POST. */
  readonly body?: string;
}

export interface DeviceAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The socket side of an emulated meter in the network, without a clock of its own. */
export interface EmulatedDevice {
  /** Answers a question. `nowNs`: when the device reads its sensor, CLOCK_MONOTONIC. */
  answer(question: DeviceQuestion, nowNs: bigint): DeviceAnswer;
  /** Delay from a question to its answer; the device reads its sensor half-way. */
  delayMs(): number;
  /** Whether it speaks TLS, with a self-signed certificate; absent: no. */
  readonly secure?: boolean;
  /** Encoding of the bodies, as `HttpQuestion.encoding`. */
  readonly encoding?: 'latin1';
  /** Makes a server for a protocol of its own, which calls `ask`; absent: it speaks HTTP. */
  serve?(ask: (question: DeviceQuestion) => Promise<DeviceAnswer>): Server;
  /** Part of its meter name after the address, where that selects a part of the device. */
  readonly place?: string;
  /** Login options of its meter name, and the environment variables that they name. */
  readonly login?: {
    readonly options: Readonly<Record<string, string>>;
    readonly env: Readonly<Record<string, string>>;
  };
}

export interface ServedDevice {
  /** `HOST:PORT` */
  readonly address: string;
  /** SHA-256 of its certificate; absent: it has none. */
  readonly fingerprint?: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Lets an emulated device listen on this machine's loopback; `port` 0: a free one. Throws InputError where the port is taken. */
export async function serveDevice(device: EmulatedDevice, port: number, host = HOST): Promise<ServedDevice> {
  const { encoding = 'utf8' } = device;
  const ask = async (question: DeviceQuestion) => {
    const delayMs = device.delayMs() / 2;
    await sleep(SYSTEM_CLOCK, delayMs);
    const answer = device.answer(question, SYSTEM_CLOCK.nowNs());
    await sleep(SYSTEM_CLOCK, delayMs);
    return answer;
  };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const question = { method, path: url, headers, body: Buffer.concat(chunks).toString(encoding) };
    const { status, headers: own, body } = await ask(question);
    response.writeHead(status, { 'content-type': 'application/json', ...own }).end(body, encoding);
  };
  // A question that makes no sense only ends its connection.
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    respond(request, response).catch(() => response.destroy());
  const own = device.secure ? selfSigned('joulediff') : null;
  const server: Server = device.serve?.(ask) ?? (own ? createSecureServer(own, listener) : createServer(listener));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return {
    address: await listenOn(server, port, host),
    ...(own && { fingerprint: own.fingerprint }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Gives `HOST:PORT`. Throws InputError where the port is taken. */
export async function listenOn(server: Server, port: number, host = HOST): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const refuse = (cause: Error) =>
      reject(new InputError(`Nothing can listen on port ${port} of ${host}: ${cause.message}.`, { cause }));
    server.once('error', refuse).listen(port, host, resolve);
  });
  return `${host}:${(server.address() as AddressInfo).port}`;
}
