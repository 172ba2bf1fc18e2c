// Class: system.
import { describe, expect, it } from '@jest/globals';
import { question, recordsIn } from '../../../src/meters/mdns/packet.ts';
import { answerOf } from './responder.ts';

const answer = answerOf({ service: '_http._tcp.local', name: 'a.b c', port: 8080, texts: ['x=1', 'y'] });

describe('a packet of multicast DNS', () => {
  it('asks for the instances of services, to be answered alone', () => {
    expect(question(['_shelly._tcp.local', '_http._tcp.local']).toString('latin1')).toBe(
      '\0\0\0\0\0\x02\0\0\0\0\0\0\x07_shelly\x04_tcp\x05local\0\0\x0c\x80\x01\x05_http\x04_tcp\x05local\0\0\x0c\x80\x01',
    );
  });

  it('is read with its pointers', () => {
    expect(recordsIn(answer)).toEqual([
      { kind: 'instance', of: '_http._tcp.local', name: 'a.b c._http._tcp.local' },
      { kind: 'port', of: 'a.b c._http._tcp.local', port: 8080 },
      { kind: 'text', of: 'a.b c._http._tcp.local', texts: ['x=1', 'y'] },
    ]);
  });

  it('is nothing where it is a question, is cut off, or points in a circle', () => {
    expect(recordsIn(question(['_http._tcp.local']))).toEqual([]);
    for (let length = 0; length < answer.length; length++) expect(recordsIn(answer.subarray(0, length))).toEqual([]);
    const circle = Buffer.from(answer);
    circle.writeUInt16BE(0xc00c, 12);
    expect(recordsIn(circle)).toEqual([]);
  });

  it('survives a million garbled bytes', () => {
    let state = 19;
    const byte = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    };
    for (let sent = 0; sent < 1_000_000; ) {
      const packet = byte() < 128 ? Buffer.from(Array.from({ length: 12 + 2 * byte() }, byte)) : Buffer.from(answer);
      packet.writeUInt16BE(0x8400, 2);
      for (let changes = byte() % 4; changes > 0; changes--) packet[byte() % packet.length] = byte();
      sent += packet.length;
      expect(recordsIn(packet).length).toBeLessThanOrEqual(200);
    }
  });
});
