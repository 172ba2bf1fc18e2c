// Class: system.
import { describe, expect, it } from '@jest/globals';
import { type DataRecord, follows, PacketReader, readDataRecord } from '../../../src/meters/watts-up-pro/packets.ts';

const lines = [
  '#d,-,18,0,1203,0,79,0,34,2,0,1203,0,0,1200,0,100,0,0,600,0;\r\n',
  '#d,-,18,112,1199,275,79,0,34,2,112,1202,275,0,1199,0,100,0,0,600,112;\r\n',
  '#d,-,18,391,1200,335,79,0,34,2,391,1200,336,112,1198,275,91,0,0,600,427;\r\n',
  '#d,-,18,452,1200,383,82,0,36,2,453,1201,385,452,1198,383,89,0,0,601,505;\x00\r\n',
  '#d,-,18,387,1201,271,80,0,35,2,388,1201,359,387,1198,191,91,0,0,600,423;\r\x00\n',
  '#d,-,18,0,1201,0,6772,54,1613,129,0,1201,0,0,1199,0,100,0,0,60\r\n',
  '#d,-,18,124,1191,97,0,_,_,_,124,_,_,_,_,_,100,_,_,_,_;',
];
const watts = [0, 11.2, 39.1, 45.2, 38.7, 12.4];

function read(text: string, size: number) {
  const reader = new PacketReader();
  const bytes = Buffer.from(text, 'latin1');
  const packets = [];
  for (let at = 0; at < bytes.length; at += size) packets.push(...reader.push(bytes.subarray(at, at + size)));
  return packets;
}

function powers(text: string, size: number): (number | string)[] {
  return read(text, size).flatMap((packet): (number | string)[] => {
    const reading = readDataRecord(packet);
    if (!reading) return [];
    return 'record' in reading ? [reading.record.powerW] : [reading.malformed];
  });
}

describe.each([1, 7, 64, 4096])('PacketReader in chunks of %i bytes', (size) => {
  it('reads the real lines and drops the one that was cut off', () => {
    expect(powers(lines.join(''), size)).toEqual(watts);
  });

  it('reads them without any line end, and after the power-on banner', () => {
    const banner = 'WattsUp.NET $ Version: 3.23 $ 200712212301 60Hz 120V\r\n';
    const text = banner + lines.map((line) => line.replace(/[\r\n\0]/g, '')).join(banner);
    expect(powers(text, size)).toEqual(watts);
  });

  it('drops control characters wherever they stand in a packet', () => {
    expect(powers('#d,-,\0\r\n18,1\x0012,1199,275,79,0,34,2,112,1202,275,0,1199,0,100,0,0,600,11\x7f2;', size)).toEqual(
      [11.2],
    );
  });

  it('starts again at the next # after a packet that was cut off in any place', () => {
    const line = lines[1] ?? '';
    for (let length = 1; length < line.indexOf(';'); length++) {
      expect(powers(line.slice(0, length) + lines[2], size)).toEqual([39.1]);
    }
  });

  it('forgets what never ends, and goes on with the next packet', () => {
    expect(powers(`#${'1'.repeat(10_000)};${lines[0]}`, size)).toEqual([0]);
  });

  it('gives other packets with their parts', () => {
    expect(read('xx;#v,-,8,1,65206,5,2,3,14,200612211910,0;\r\n', size)).toEqual([
      { command: 'v', parts: ['v', '-', '8', '1', '65206', '5', '2', '3', '14', '200612211910', '0'] },
    ]);
  });
});

describe('PacketReader', () => {
  it('survives bytes of every kind', () => {
    const reader = new PacketReader();
    let state = 1;
    for (let count = 0; count < 2000; count++) {
      const chunk = Uint8Array.from({ length: 50 }, () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state >>> 24;
      });
      for (const packet of reader.push(chunk)) expect(readDataRecord(packet)).toBeNull();
    }
    expect(reader.push(Buffer.from(`;${lines[2]}`)).at(-1)?.parts[3]).toBe('391');
  });
});

const good = ['391', '1200', '335', '79', '0', '34', '2', '391', '1200', '336', '112', '1198', '275', '91', '0', '0'];
const fields = [...good, '600', '427'];
const withField = (index: number, value: string) => fields.with(index, value);

function readFields(list: readonly string[], announced = '18') {
  const [packet] = new PacketReader().push(Buffer.from(`#d,-,${announced},${list.join(',')};`));
  return packet && readDataRecord(packet);
}

describe('readDataRecord', () => {
  it('gives watts and volts in units, not in counts', () => {
    expect(readFields(fields)).toEqual({ record: { powerW: 39.1, voltageV: 120, maximumW: 39.1, minimumW: 11.2 } });
  });

  it('takes a field that is not logged for unknown, not for zero', () => {
    expect(readFields(['124', '_', ...Array(16).fill('_')])).toEqual({
      record: { powerW: 12.4, voltageV: null, maximumW: null, minimumW: null },
    });
  });

  it.each([
    ['power not logged', withField(0, '_'), 'has no power'],
    ['17 fields', fields.slice(1), 'has 17 fields instead of 18'],
    ['19 fields', [...fields, '0'], 'has 19 fields instead of 18'],
    ['more watts than the meter can measure', withField(0, '50001'), 'has 5000.1 W, more than the meter can measure'],
    ['too few volts', withField(1, '799'), 'has 79.9 V'],
    ['too many volts', withField(1, '2851'), 'has 285.1 V'],
    ['a sign', withField(0, '-391'), 'has a field that is no number'],
    ['a fraction', withField(0, '39.1'), 'has a field that is no number'],
    ['an empty field', withField(5, ''), 'has a field that is no number'],
    ['letters in a field that is not used', withField(17, '4f7'), 'has a field that is no number'],
  ])('refuses %s', (_, list, malformed) => {
    expect(readFields(list)).toEqual({ malformed });
  });

  it('refuses a record that announces another number of fields', () => {
    expect(readFields(fields, '17')).toEqual({ malformed: 'announces 17 fields instead of 18' });
  });

  it('accepts the ends of the ranges', () => {
    expect(readFields(['50000', '800', ...fields.slice(2)])).toHaveProperty('record.powerW', 5000);
    expect(readFields(['0', '2850', ...fields.slice(2)])).toHaveProperty('record.voltageV', 285);
  });
});

describe('follows', () => {
  const record = (powerW: number, maximumW: number | null, minimumW: number | null): DataRecord => ({
    powerW,
    voltageV: 120,
    maximumW,
    minimumW,
  });

  it('holds when maximum and minimum span the two records', () => {
    expect(follows(record(11.2, 11.2, 0), record(39.1, 39.1, 11.2))).toBe(true);
    expect(follows(record(39.1, 39.1, 11.2), record(11.2, 39.1, 11.2))).toBe(true);
    expect(follows(record(39.1, 39.1, 11.2), record(11.2, null, null))).toBe(true);
  });

  it('does not hold when a record between them is missing', () => {
    expect(follows(record(11.2, 11.2, 0), record(39.1, 50, 39.1))).toBe(false);
    expect(follows(record(39.1, 39.1, 11.2), record(39.1, 39.1, 11.2))).toBe(false);
  });
});
