import { describe, expect, it } from '@jest/globals';
import { type DataRecord, follows, PacketReader, readDataRecord } from '../../../src/meters/watts-up-pro/packets.ts';

const good = ['391', '1200', '335', '79', '0', '34', '2', '391', '1200', '336', '112', '1198', '275', '91', '0', '0'];
const fields = [...good, '600', '427'];
const withField = (index: number, value: string) => fields.with(index, value);

function read(list: readonly string[], announced = '18') {
  const [packet] = new PacketReader().push(Buffer.from(`#d,-,${announced},${list.join(',')};`));
  return packet && readDataRecord(packet);
}

describe('readDataRecord', () => {
  it('gives watts and volts in units, not in counts', () => {
    expect(read(fields)).toEqual({ record: { powerW: 39.1, voltageV: 120, maximumW: 39.1, minimumW: 11.2 } });
  });

  it('takes a field that is not logged for unknown, not for zero', () => {
    expect(read(['124', '_', ...Array(16).fill('_')])).toEqual({
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
    expect(read(list)).toEqual({ malformed });
  });

  it('refuses a record that announces another number of fields', () => {
    expect(read(fields, '17')).toEqual({ malformed: 'announces 17 fields instead of 18' });
  });

  it('accepts the ends of the ranges', () => {
    expect(read(['50000', '800', ...fields.slice(2)])).toHaveProperty('record.powerW', 5000);
    expect(read(['0', '2850', ...fields.slice(2)])).toHaveProperty('record.voltageV', 285);
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
