/** Content of a packet between `#` and `;`, split at commas. */
export interface Packet {
  readonly command: string;
  /** All parts, the command first. */
  readonly parts: readonly string[];
}

/** Upper bound on a packet's length, so that noise can't fill the memory; packets of the protocol have about 200 characters. */
const LONGEST_PACKET = 512;

/**
 * Takes packets `#…;` out of a stream that comes in chunks of any size. What stands outside of packets is ignored (line ends, the power-on
 * banner), control characters inside as well (Communications Protocol I.3): real meters put NUL into the line ends of 7 % of their records,
 * so line ends can't frame them. A packet that was cut off is dropped when the next `#` comes.
 */
export class PacketReader {
  #text: string | null = null;

  push(chunk: Uint8Array): Packet[] {
    const packets: Packet[] = [];
    for (const byte of chunk) {
      if (byte === 0x23) {
        this.#text = '';
      } else if (this.#text === null || byte < 0x20 || byte === 0x7f) {
        // outside of a packet, or a control character inside
      } else if (byte === 0x3b) {
        const parts = this.#text.split(',');
        packets.push({ command: parts[0] ?? '', parts });
        this.#text = null;
      } else if (this.#text.length === LONGEST_PACKET) {
        this.#text = null;
      } else {
        this.#text += String.fromCharCode(byte);
      }
    }
    return packets;
  }
}

export interface DataRecord {
  /** Mean power of the second that ended, watts, in steps of 0.1. */
  readonly powerW: number;
  /** Volts; null when the meter is not set to log them. */
  readonly voltageV: number | null;
  /** The larger and the smaller of this record's power and the one's before, watts; null when not logged. */
  readonly maximumW: number | null;
  readonly minimumW: number | null;
}

export type RecordReading = { readonly record: DataRecord } | { readonly malformed: string };

const FIELD_COUNT = 18;

/**
 * Reads a packet as a data record, null when it is something else. Fields and units: Communications Protocol rev. 1.8, part IV
 * (power and voltage in tenths). `_` is a field that the meter doesn't log, which is not zero.
 * Anything doubtful makes the whole record malformed: half a record would be a wrong number.
 */
export function readDataRecord(packet: Packet): RecordReading | null {
  if (packet.command !== 'd') return null;
  const { parts } = packet;
  if (parts[2] !== String(FIELD_COUNT)) return { malformed: `announces ${parts[2] ?? 'no'} fields instead of 18` };
  if (parts.length !== FIELD_COUNT + 3) return { malformed: `has ${parts.length - 3} fields instead of 18` };
  const wrong = parts.slice(3).find((field) => !/^(_|\d{1,10})$/.test(field));
  if (wrong !== undefined) return { malformed: 'has a field that is no number' };
  const value = (index: number) => (parts[index] === '_' ? null : Number(parts[index]));
  const power = value(3);
  const voltage = value(4);
  if (power === null) return { malformed: 'has no power' };
  if (power > 50_000) return { malformed: `has ${power / 10} W, more than the meter can measure` };
  if (voltage !== null && (voltage < 800 || voltage > 2850)) return { malformed: `has ${voltage / 10} V` };
  const tenths = (count: number | null) => (count === null ? null : count / 10);
  return {
    record: { powerW: power / 10, voltageV: tenths(voltage), maximumW: tenths(value(10)), minimumW: tenths(value(13)) },
  };
}

/**
 * Is `record` the one right after `previous`? In external logging the meter's maximum and minimum span exactly these two
 * (true of all 15,110 pairs of three real captures), so when they don't, records between them are lost. True where the fields aren't logged.
 */
export function follows(previous: DataRecord, record: DataRecord): boolean {
  const { maximumW, minimumW } = record;
  if (maximumW !== null && maximumW !== Math.max(previous.powerW, record.powerW)) return false;
  return minimumW === null || minimumW === Math.min(previous.powerW, record.powerW);
}
