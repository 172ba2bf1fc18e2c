// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { runsCsv, samplesCsv } from '../../src/report/csv.ts';
import type { StoreReader } from '../../src/store/reader.ts';
import { everyAnalysis } from './fixtures.ts';
import { syntheticAnalysis } from './synthetic/analysis.ts';

/** RFC 4180, read by its grammar: the test's own reader. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  let field = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quoted && c === '"' && text[i + 1] === '"') field += text[i++];
    else if (c === '"') quoted = !quoted;
    else if (!quoted && (c === ',' || c === '\n')) {
      rows.at(-1)!.push(field);
      field = '';
      if (c === '\n') rows.push([]);
    } else field += c;
  }
  return rows.slice(0, -1);
}

describe('runsCsv', () => {
  it('begins with the header that scripts rely on', () => {
    expect(runsCsv([])).toBe(
      'run,block,position,variant,revision,status,start_ns,end_ns,duration_s,energy_j,net_energy_j,mean_power_w,channel,idle_power_w,samples,reason,energy_u_j,net_energy_u_j,executions,governor,temperature_c,load,cpu_s,peak_memory_bytes,read_bytes,written_bytes,rest_s\n',
    );
  });

  it('says in its last column which runs had emulated processors, where any had', () => {
    const { findings, runs } = syntheticAnalysis();
    const name = findings.variants.at(-1)!.name;
    const check = { name: 'emulation', state: 'fail', reason: 'tcg', facts: { variants: [name] } } as const;
    const quality = { ...findings.quality, checks: [...findings.quality.checks, check] };
    const [head, ...lines] = parse(runsCsv(runs, { ...findings, quality }));
    expect(head!.at(-1)).toBe('emulated_processors');
    const variant = head!.indexOf('variant');
    expect(lines.map((line) => line.at(-1))).toEqual(lines.map((line) => String(line[variant] === name)));
    expect(runsCsv(runs, findings)).not.toContain('emulated_processors');
  });

  it('says of each energy whether it was measured', () => {
    const { findings, runs } = syntheticAnalysis();
    const [first] = runs;
    const meter = { ...findings.meter, source: 'emulated', channel_sources: { dram: 'measured' } } as const;
    const both = [first!, { ...first!, channel: 'dram' }];
    const [head, ...lines] = parse(runsCsv(both, { ...findings, meter }));
    expect(lines.map((line) => line[head!.indexOf('source')])).toEqual(['emulated', 'measured']);
  });

  it('gives every number back exactly, and nothing for what is undefined', () => {
    const [first] = syntheticAnalysis().runs;
    const run = {
      ...first!,
      energyJ: 0.1 + 0.2,
      startNs: 2n ** 63n - 1n,
      idlePowerW: null,
      reason: null,
      revision: null,
    };
    const [head, line] = parse(runsCsv([run]));
    const cells = Object.fromEntries(head!.map((name, i) => [name, line![i]]));
    expect(Number(cells.energy_j)).toBe(0.1 + 0.2);
    expect(cells.start_ns).toBe('9223372036854775807');
    expect([cells.idle_power_w, cells.reason, cells.revision]).toEqual(['', '', '']);
  });

  it('quotes texts so that a line stays a line with the same number of fields', () => {
    const { runs } = everyAnalysis().hostile!;
    const rows = parse(runsCsv(runs));
    expect(rows).toHaveLength(runs.length + 1);
    for (const [i, row] of rows.slice(1).entries()) {
      expect(row).toHaveLength(27);
      const shown = runs[i]!.variant.replace(/[^\P{Cc}\t\n\r]/gu, '\ufffd');
      expect([shown, `'${shown}`]).toContain(row[3]);
    }
  });

  it.each(['=1+1', '+1', '-2', '@SUM(A1)', '\tx', '\rx'])('makes %j a text for a spreadsheet', (name) => {
    const [first] = syntheticAnalysis().runs;
    const row = parse(runsCsv([{ ...first!, variant: name, reason: { kind: 'recorded', text: name } }]))[1]!;
    expect([row[3], row[15]]).toEqual([`'${name}`, `'${name}`]);
  });

  it('holds nothing that a terminal would obey when it is shown there', () => {
    const [first] = syntheticAnalysis().runs;
    const name = 'a\u001b]0;title\u0007\u001b[2J\u009b1mb\u0000=é';
    const row = parse(
      runsCsv([{ ...first!, variant: name, reason: { kind: 'recorded', text: `\u001b=${name}` } }]),
    )[1]!;
    expect(row[3]).toBe('a\ufffd]0;title\ufffd\ufffd[2J\ufffd1mb\ufffd=é');
    expect(row[15]).toMatch(/^\ufffd=a/);
  });

  it('leaves negative numbers numbers', () => {
    const [first] = syntheticAnalysis().runs;
    expect(parse(runsCsv([{ ...first!, netEnergyJ: -3.5 }]))[1]![10]).toBe('-3.5');
  });

  it('has what the services of an experiment used, by names that nobody takes for the command’s', () => {
    const [first] = syntheticAnalysis().runs;
    const counters = [
      { counter: 'user_s', value: 1, missing: null },
      { counter: 'services_peak_memory_bytes', value: 4096, missing: null },
      { counter: 'services_sent_bytes', value: null, missing: 'client-network' },
    ] as const;
    const [head, line, other] = parse(runsCsv([{ ...first!, counters }, first!]));
    expect(head!.slice(27)).toEqual(['services_peak_memory_bytes', 'services_sent_bytes']);
    expect([line!.slice(27), other!.slice(27)]).toEqual([
      ['4096', ''],
      ['', ''],
    ]);
  });
});

describe('samplesCsv', () => {
  const columns = (n: number, from = 0) => ({
    tNs: Float64Array.from({ length: n }, (_, i) => from + i * 1e9),
    powerW: Float64Array.from({ length: n }, (_, i) => 20 + i / 8),
    durationS: new Float64Array(n).fill(1),
  });
  const reader = {
    channels: () => [
      { channel: 'wall', meter: { source: 'measured' } },
      { channel: 'package, 0', meter: { source: 'emulated' } },
    ],
    sessions: () => [
      { session: 1, originNs: 9_007_199_254_740_993n },
      { session: 2, originNs: 5n },
    ],
    samples: (session: number, channel: string) => columns(session === 1 && channel === 'wall' ? 10_000 : 2, 7),
  } as unknown as StoreReader;

  it('gives every sample of every session and channel on the absolute clock, to the nanosecond', () => {
    const rows = parse([...samplesCsv(reader)].join(''));
    expect(rows[0]).toEqual(['session', 'channel', 't_ns', 'power_w', 'duration_s', 'source']);
    expect(rows).toHaveLength(1 + 10_000 + 3 * 2);
    // 2^53 + 1 is no double: adding as numbers would lose the last digit.
    expect(rows[1]).toEqual(['1', 'wall', '9007199254741000', '20', '1', 'measured']);
    expect(rows[2]).toEqual(['1', 'wall', '9007200254741000', '20.125', '1', 'measured']);
    expect(rows.at(-1)).toEqual(['2', 'package, 0', '1000000012', '20.125', '1', 'emulated']);
  });

  it('gives the readings as the meter gave them, not the means that are made of them', () => {
    const means = { ...columns(1, 1e9), powerW: Float64Array.of(61.5), durationS: Float64Array.of(0.4) };
    const readings = new Map([
      [
        0,
        [
          [100_000_000, 61.2],
          [300_000_000, 61.6],
        ],
      ],
    ]);
    const channels = () => [{ channel: 'wall', meter: { source: 'measured' } }];
    const raw = { ...reader, channels, samples: () => ({ ...means, readings }) };
    const rows = parse([...samplesCsv(raw as unknown as StoreReader)].join(''));
    expect(rows.slice(1, 3)).toEqual([
      ['1', 'wall', '9007199954740993', '61.2', '0.1', 'measured'],
      ['1', 'wall', '9007200254740993', '61.6', '0.3', 'measured'],
    ]);
  });

  it('comes in pieces, so that a long experiment need not fit in memory', () => {
    const pieces = [...samplesCsv(reader)];
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(300_000);
    expect(pieces.length).toBeGreaterThan(4);
  });
});
