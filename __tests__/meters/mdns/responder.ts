import { createSocket, type Socket } from 'node:dgram';

export interface Offer {
  readonly service: string;
  readonly name: string;
  readonly port: number;
  readonly texts?: readonly string[];
}

/** A name as labels; the first one may hold dots and anything else. */
function labels(first: string, rest: string): Buffer {
  const all = [first, ...rest.split('.')].map((label) => Buffer.from(label));
  return Buffer.concat([...all.flatMap((label) => [Buffer.of(label.length), label]), Buffer.of(0)]);
}

function record(name: Buffer, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(0x8001, 2);
  head.writeUInt32BE(120, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, head, data]);
}

/** An answer as devices send it: where it is offered, at which port, and texts; later names point at earlier ones. */
export function answerOf({ service, name, port, texts = [] }: Offer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0x8400, 2);
  head.writeUInt16BE(1, 6);
  head.writeUInt16BE(2, 10);
  const [first = '', ...rest] = service.split('.');
  const serviceName = labels(first, rest.join('.'));
  // Behind the header: the service's name; the instance's ends with a pointer to it.
  const instance = Buffer.concat([Buffer.of(Buffer.byteLength(name)), Buffer.from(name), Buffer.of(0xc0, 12)]);
  const pointer = record(serviceName, 12, instance);
  const at = 12 + serviceName.length + 10;
  const again = Buffer.of(0xc0 | (at >> 8), at & 0xff);
  const place = Buffer.alloc(6);
  place.writeUInt16BE(port, 4);
  const text = Buffer.concat(texts.flatMap((one) => [Buffer.of(Buffer.byteLength(one)), Buffer.from(one)]));
  return Buffer.concat([
    head,
    pointer,
    record(again, 33, Buffer.concat([place, labels('host', 'local')])),
    record(again, 16, text),
  ]);
}

/** Answers every question with these packets, on this machine's loopback. Gives ADDRESS:PORT, and the questions that came. */
export async function responder(packets: readonly Buffer[]): Promise<{ at: string; asked: Buffer[]; socket: Socket }> {
  const socket = createSocket('udp4');
  const asked: Buffer[] = [];
  socket.on('message', (packet, { address, port }) => {
    asked.push(packet);
    for (const one of packets) socket.send(one, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { at: `127.0.0.1:${socket.address().port}`, asked, socket };
}
