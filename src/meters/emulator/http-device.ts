import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { InputError } from '../../errors.ts';
import { SYSTEM_CLOCK, sleep } from '../../system/clock.ts';
import { selfSigned } from './certificate.ts';

export interface DeviceQuestion {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of a POST. */
  readonly body?: string;
}

export interface DeviceAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A meter in the network as its socket shows it, without a clock of its own. */
export interface EmulatedDevice {
  /** Given the moment at which the device reads its sensor, CLOCK_MONOTONIC. */
  answer(question: DeviceQuestion, nowNs: bigint): DeviceAnswer;
  /** From a question to its answer; the device reads its sensor half-way. */
  delayMs(): number;
  /** It speaks TLS, with a certificate that it signed itself. Default: it doesn't. */
  readonly secure?: boolean;
  /** Of the bodies, as `HttpQuestion.encoding`. */
  readonly encoding?: 'latin1';
  /** A server of its own protocol, which asks it. Default: HTTP. */
  serve?(ask: (question: DeviceQuestion) => Promise<DeviceAnswer>): Server;
  /** What stands behind its address in its driver's name, where that says which part of it is meant. */
  readonly place?: string;
  /** Options that its driver's name needs, and the variables that they name. */
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
  // A question that makes no sense ends its connection, and not the emulator.
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
