/** One record of an answer, as far as devices are found by it (RFC 1035, RFC 6763). */
export type DnsRecord =
  | { readonly kind: 'instance'; readonly of: string; readonly name: string }
  | { readonly kind: 'port'; readonly of: string; readonly port: number }
  | { readonly kind: 'text'; readonly of: string; readonly texts: readonly string[] };

const [PTR, TXT, SRV] = [12, 16, 33] as const;
const INTERNET = 1;
/** Bit of a question that asks for a unicast answer. */
const UNICAST = 0x8000;
const HEADER = 12;
const POINTER = 0xc0;
const LONGEST_NAME = 255;
const MAX_RECORDS = 200;

/** A question for the instances of services. */
export function question(services: readonly string[]): Buffer {
  const head = Buffer.alloc(HEADER);
  head.writeUInt16BE(services.length, 4);
  return Buffer.concat([head, ...services.map(asked)]);
}

function asked(service: string): Buffer {
  const labels = service
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'));
  const tail = Buffer.alloc(5);
  tail.writeUInt16BE(PTR, 1);
  tail.writeUInt16BE(INTERNET | UNICAST, 3);
  return Buffer.concat([...labels, tail]);
}

/** The records of an answer; empty: it is none, or is damaged anywhere. */
export function recordsIn(packet: Buffer): DnsRecord[] {
  try {
    return packet.length >= HEADER && (packet.readUInt16BE(2) & 0x8000) !== 0 ? records(packet) : [];
  } catch (error) {
    // A length that points beyond the end ends up here.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function records(packet: Buffer): DnsRecord[] {
  let at = HEADER;
  for (let left = packet.readUInt16BE(4); left > 0; left--) at = nameAt(packet, at).end + 4;
  const count = packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10);
  const found: DnsRecord[] = [];
  for (let index = 0; index < Math.min(count, MAX_RECORDS); index++) {
    const { name: of, end } = nameAt(packet, at);
    const type = packet.readUInt16BE(end);
    const start = end + 10;
    at = start + packet.readUInt16BE(end + 8);
    if (at > packet.length) throw new RangeError('a record ends behind the packet');
    if (type === PTR) found.push({ kind: 'instance', of, name: nameAt(packet, start).name });
    else if (type === SRV) found.push({ kind: 'port', of, port: packet.readUInt16BE(start + 4) });
    else if (type === TXT) found.push({ kind: 'text', of, texts: texts(packet.subarray(start, at)) });
  }
  return found;
}

/** Reads a name, which may continue at an earlier place: only at an earlier one, so that this ends. Throws RangeError. */
function nameAt(packet: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let [at, earliest, length] = [start, start, 0];
  let end: number | null = null;
  for (;;) {
    const size = packet.readUInt8(at);
    if (size >= POINTER) {
      end ??= at + 2;
      at = packet.readUInt16BE(at) & 0x3fff;
      if (at >= earliest) throw new RangeError('a name goes on behind itself');
      earliest = at;
      continue;
    }
    if (size === 0) return { name: labels.join('.'), end: end ?? at + 1 };
    length += size + 1;
    if (length > LONGEST_NAME || at + 1 + size > packet.length) throw new RangeError('a name is too long');
    labels.push(packet.toString('utf8', at + 1, at + 1 + size));
    at += size + 1;
  }
}

function texts(data: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at < data.length; at += data.readUInt8(at) + 1) {
    found.push(data.toString('utf8', at + 1, at + 1 + data.readUInt8(at)));
  }
  return found;
}
