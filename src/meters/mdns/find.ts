import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { inNumberOrder } from '../../text/order.ts';
import { question, recordsIn } from './packet.ts';

/** A plug that answered. */
export interface FoundDevice {
  /** Name that the device gives itself; it may be anything. */
  readonly name: string;
  /** Address that its answer came from. */
  readonly address: string;
  /** Meter name for --meter. */
  readonly meter: string;
}

/** Multicast address and port of mDNS. */
const GROUP = { address: '224.0.0.251', port: 5353 };
const SERVICES = ['_shelly._tcp.local', '_http._tcp.local'];
const HTTP_PORT = 80;
/** Upper bound on the answers that are read: more than this are noise or an attack. */
const MAX_ANSWERS = 2000;
const MAX_DEVICES = 100;

/**
 * Asks the local network once by multicast DNS (RFC 6762, 5.1: one shot, answered to the asker alone), on every interface, and gives the Shelly and
 * Tasmota plugs that answered within `ms`. A device counts for the address that its answer came from, whatever it tells.
 */
export async function findInNetwork(ms: number, group = groupOf(process.env.JOULEDIFF_MDNS)): Promise<FoundDevice[]> {
  const found = new Map<string, FoundDevice>();
  let answers = 0;
  const take = (packet: Buffer, address: string) => {
    if (++answers > MAX_ANSWERS) return;
    for (const device of devicesIn(packet, address)) {
      if (found.size < MAX_DEVICES) found.set(device.meter, device);
    }
  };
  const sockets = addresses(group.address).map((own) => {
    const socket = createSocket('udp4');
    // A network that can't be asked counts as one in which nothing answers.
    socket.on('error', () => {});
    socket.on('message', (packet, { address }) => take(packet, address));
    socket.bind(0, own, () => socket.send(question(SERVICES), group.port, group.address, () => {}));
    return socket;
  });
  await wait(ms);
  for (const socket of sockets) socket.close();
  return [...found.values()].sort((a, b) => inNumberOrder(a.meter, b.meter));
}

/** `JOULEDIFF_MDNS=ADDRESS:PORT` asks one responder instead. */
function groupOf(text: string | undefined): typeof GROUP {
  const [, address, port] = /^([\d.]+):(\d{1,5})$/.exec(text ?? '') ?? [];
  return address === undefined ? GROUP : { address, port: Number(port) };
}

/** IPv4 addresses of all interfaces to other machines; for a group on the loopback, only that of the loopback. */
function addresses(group: string): string[] {
  if (group.startsWith('127.')) return ['127.0.0.1'];
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}

function devicesIn(packet: Buffer, address: string): FoundDevice[] {
  const records = recordsIn(packet);
  return records.flatMap((record) => {
    if (record.kind !== 'instance' || !SERVICES.includes(record.of.toLowerCase())) return [];
    const own = records.filter(({ of }) => of === record.name);
    const texts = own.flatMap((one) => (one.kind === 'text' ? one.texts : []));
    const type = typeOf(record, texts);
    if (type === null) return [];
    const port = own.find((one) => one.kind === 'port')?.port ?? HTTP_PORT;
    const name = record.name.slice(0, -record.of.length - 1);
    return [{ name, address, meter: `${type}:${address}${port === HTTP_PORT ? '' : `:${port}`}` }];
  });
}

/** Meter type of a device; null: none. Shellys of the first generation and Tasmota plugs offer plain HTTP, and are told by name or text. */
function typeOf({ of, name }: { readonly of: string; readonly name: string }, texts: readonly string[]): string | null {
  if (of.toLowerCase().startsWith('_shelly.') || /^shelly/i.test(name)) return 'shelly';
  return texts.some((text) => /^devicetype=tasmota$/i.test(text)) || /^tasmota/i.test(name) ? 'tasmota' : null;
}
