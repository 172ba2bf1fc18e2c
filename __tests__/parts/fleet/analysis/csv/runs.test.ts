// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { InputError } from '../../../../../src/errors.ts';
import { readRunTable } from '../../../../../src/parts/fleet/analysis/csv/runs.ts';

const read = (text: string) => readRunTable(text, 'runs.csv');

function refusal(text: string): { message: string; advice: string | null } {
  try {
    read(text);
  } catch (error) {
    if (error instanceof InputError) return { message: error.message, advice: error.advice };
    throw error;
  }
  throw new Error(`was taken: ${text}`);
}

describe('a CSV of runs', () => {
  it('needs no more than variants and energies', () => {
    expect(read('energy_j,variant\n1.5,native\n2e1,"a, ""b"""\n')).toMatchObject({
      ordered: false,
      unread: [],
      runs: [
        { run: 1, variant: 'native', energyJ: 1.5, block: null, status: 'ok', durationS: null, meanPowerW: null },
        { run: 2, variant: 'a, "b"', energyJ: 20, channel: 'energy' },
      ],
    });
  });

  it('is read with any line end, a byte order mark, empty lines, and cells over several lines', () => {
    const { runs } = read('\ufeffvariant,energy_j,reason\r\n\r\nnative,1,"one\ntwo"\nnative,2,\r\n');
    expect(runs.map((run) => [run.energyJ, run.reason])).toEqual([
      [1, { kind: 'recorded', text: 'one\ntwo' }],
      [2, null],
    ]);
    expect(refusal('variant,energy_j,reason\n\nnative,1,"one\ntwo"\n\nnative,x,\n').message).toContain(
      'line 6: energy_j',
    );
  });

  it('gives text back that was written so that a spreadsheet does not run it', () => {
    const { runs } = read("variant,energy_j\n'=1+1,1\n'-x,1\n'quoted',1\n");
    expect(runs.map((run) => run.variant)).toEqual(['=1+1', '-x', "'quoted'"]);
  });

  it('names the columns that it does not read', () => {
    expect(read('variant,host,energy_j,note\nnative,a,1,b\n').unread).toEqual(['host', 'note']);
  });

  it('takes what is not compared without an energy', () => {
    const { runs } = read('variant,energy_j,status,reason\na,,failed,exit code 1\na,,invalid,\na,3,warmup,\n');
    expect(runs.map(({ status, energyJ, reason }) => [status, energyJ, reason])).toEqual([
      ['failed', null, { kind: 'recorded', text: 'exit code 1' }],
      ['invalid', null, null],
      ['warmup', 3, null],
    ]);
  });

  it.each([
    ['', 'runs.csv is empty.'],
    ['variant,energy_j\n', 'runs.csv, line 1: there is no line of data after the header.'],
    ['variant,joules\na,1\n', 'runs.csv, line 1: there is no column energy_j; the columns are: variant, joules.'],
    ['energy_j\n1\n', 'there is no column variant'],
    ['variant,energy_j,variant\na,1,b\n', 'the column variant appears twice'],
    ['variant,energy_j\na,1\na\n', 'runs.csv, line 3: it has 1 cell, and the header has 2.'],
    ['variant,energy_j\na,1,5\n', 'runs.csv, line 2: it has 3 cells, and the header has 2.'],
    ['variant,energy_j\na,1\na,"2\n', 'runs.csv, line 3: a quote is opened here and never closed.'],
    ['variant,energy_j\na,2"\n', 'runs.csv, line 2: a quote stands inside a cell'],
    ['variant,energy_j\n"a"b,2\n', 'runs.csv, line 2: there is text after the closing quote'],
    [`variant,energy_j\n${'a'.repeat(70_000)},2\n`, 'runs.csv, line 2: it is longer than 65536 bytes.'],
    [
      `variant,energy_j\n${'a'.repeat(600)},2\n`,
      'runs.csv, line 2: variant has 600 characters; at most 500 are allowed.',
    ],
    ['variant,energy_j\n,1\n', 'runs.csv, line 2: variant is empty.'],
    ['variant,energy_j\na,1 J\n', 'runs.csv, line 2: energy_j is "1 J", which is not a number.'],
    ['variant,energy_j\na,NaN\n', 'energy_j is "NaN", which is not a number.'],
    ['variant,energy_j\na,0x10\n', 'energy_j is "0x10", which is not a number.'],
    ['variant,energy_j\na,1e999\n', 'energy_j is "1e999", which is not a number.'],
    ['variant,energy_j\na,\n', 'runs.csv, line 2: energy_j is empty, and the status is ok.'],
    ['variant,energy_j,duration_s\na,1,-2\n', 'duration_s is -2, which is below zero.'],
    ['variant,energy_j,block\na,1,1.5\n', 'block is 1.5, which is not a whole number.'],
    ['variant,energy_j,status\na,1,fine\n', 'status is "fine"; it can be ok, warmup, failed or invalid.'],
    ['variant,energy_j,status\na,1,\n', 'status is ""; it can be'],
    ['variant,energy_j,channel\na,1,\n', 'runs.csv, line 2: channel is empty.'],
    ['variant,energy_j,run\na,1,\n', 'runs.csv, line 2: run is empty.'],
    ['variant,energy_j,run\na,1,1\na,2,1\n', 'runs.csv, line 3: run 1 stands on line 2 already.'],
    ['variant,energy_j,start_ns\na,1,1.5\n', 'start_ns is "1.5", which is not a whole number of nanoseconds.'],
    ['variant,energy_j,block\na,1,1\nb,1,\n', 'runs.csv, line 3: block is empty, though other runs have one.'],
    ['variant,energy_j,block\na,1,1\na,2,1\n', 'runs.csv, line 3: block 1 has a on line 2 already.'],
    ['variant,energy_j\na,1e300\n', 'runs.csv, line 2: energy_j is "1e300", which is too large for any run.'],
    ['variant,energy_j\na,-1e-300\n', 'runs.csv, line 2: energy_j is "-1e-300", which is too small for any run.'],
    ['variant,energy_j,duration_s\na,1,1e200\n', 'duration_s is "1e200", which is too large for any run.'],
    ['variant,energy_j,executions\na,1,0\n', 'runs.csv, line 2: executions is 0; a run has one or more.'],
    ['variant,energy_j,executions\na,1,4\nb,1,5\n', 'runs.csv, line 3: executions is 5, and on line 2 4.'],
    ['variant,energy_j,run,channel\na,1,1,x\nb,1,1,y\n', 'line 3: run 1 is of another variant or block on line 2.'],
  ])('%j is refused', (text, problem) => {
    expect(refusal(text).message).toContain(problem);
  });

  it('is refused beyond a size that no experiment has', () => {
    const lines = (count: number, line: (i: number) => string): string =>
      `variant,energy_j\n${Array.from({ length: count }, (_, i) => line(i)).join('\n')}\n`;
    expect(read(lines(20_000, () => 'a,1')).runs).toHaveLength(20_000);
    expect(refusal(lines(20_001, () => 'a,1')).message).toBe('runs.csv has more than 20,000 lines of data.');
    expect(refusal(lines(60, (i) => `v${i},1`)).message).toBe(
      'runs.csv, line 52: this is one variant too many; at most 50 are allowed.',
    );
  });

  it('is refused with what to do about it', () => {
    expect(refusal('variant\tenergy_j\na\t1\n').advice).toBe('Columns are separated by commas or semicolons.');
    expect(refusal('variant,energy\na,1\n').advice).toBe(
      'Rename "energy" to energy_j if it holds joules; otherwise convert it to joules first.',
    );
    expect(refusal('varaint,energy_j\na,1\n').advice).toBe('Rename "varaint" to variant, if that is what it holds.');
    expect(refusal('variant,energy_j\na,"1,5"\n').advice).toContain('The decimal sign is a point');
    expect(refusal('variant,energy_j\na,1,5\n').advice).toContain('Numbers have a decimal point');
  });

  describe('with energies in other units', () => {
    it.each([
      ['energy_j', 250],
      ['energy_J', 250],
      ['energy_kj', 250_000],
      ['energy_kJ', 250_000],
      ['energy_wh', 900_000],
      ['energy_Wh', 900_000],
      ['energy_kWh', 9e8],
      ['energy_mJ', 0.25],
      ['energy_MJ', 2.5e8],
      ['energy_uj', 250e-6],
    ])('%s of 250 is %d J', (column, joules) => {
      const { runs, energy } = read(`variant,${column}\na,250\n`);
      expect(runs[0]?.energyJ).toBeCloseTo(joules, 9);
      expect(energy?.column ?? 'energy_j').toBe(column);
    });

    it('is refused where milli and mega are one letter', () => {
      expect(refusal('variant,energy_mj\na,1\n')).toEqual({
        message: 'runs.csv, line 1: energy_mj could be millijoules or megajoules.',
        advice: 'Name the column energy_mJ for millijoules or energy_MJ for megajoules.',
      });
      expect(refusal('variant,energy_mwh\na,1\n').message).toContain('milliwatt-hours or megawatt-hours');
    });

    it('takes energy_j where it is there, and never one of several others', () => {
      expect(read('variant,energy_kj,energy_j\na,1,250\n')).toMatchObject({ unread: ['energy_kj'], energy: null });
      expect(refusal('variant,energy_kj,energy_wh\na,1,1\n').message).toContain(
        'several columns: energy_kj, energy_wh',
      );
    });

    it('names the column that the file has', () => {
      expect(refusal('variant,energy_kj\na,x\n').message).toContain('energy_kj is "x", which is not a number');
      expect(refusal('variant,energy_kj\na,\n').message).toContain('energy_kj is empty');
    });
  });

  describe('with a sign that may stand for thousands', () => {
    it.each([
      ['variant;energy_j\nb;1.009\na;991\n', 'runs.csv, line 2: energy_j is "1.009", and line 3 has "991": '],
      ['variant;energy_j\nb;991\na;1,009\n', 'runs.csv, line 3: energy_j is "1,009", and line 2 has "991": '],
      ['variant;energy_j\nb;6.009\na;5.991\n', 'runs.csv, line 2: energy_j is "6.009": '],
      ['variant;energy_wh\nb;6.009\na;5.991\n', 'runs.csv, line 2: energy_wh is "6.009": '],
      ['variant,energy_j\nb,1.009\na,991\n', 'runs.csv, line 2: energy_j is "1.009", and line 3 has "991": '],
      ['variant;energy_j;duration_s\nb;6.1;1.000\na;5.9;998\n', 'duration_s is "1.000", and line 3 has "998": '],
      ['variant;energy_j\nb;1.234.567\na;5.991.000\n', 'energy_j is "1.234.567"'],
    ])('%j is refused', (text, problem) => {
      const { message, advice } = refusal(text);
      expect(message).toContain(problem);
      expect(advice).toMatch(/thousands separator/);
    });

    it.each([
      ['variant,energy_j\nb,6.009\na,5.991\n', [6.009, 5.991]],
      ['variant;energy_j\nb;6,009\na;5,991\n', [6.009, 5.991]],
      ['variant;energy_j\nb;6.0090\na;5.991\n', [6.009, 5.991]],
      ['variant,energy_j\nb,0.991\na,1\n', [0.991, 1]],
      ['variant,energy_j\nb,12.345\na,13\n', [12.345, 13]],
    ])('%j is read', (text, energies) => {
      expect(read(text).runs.map(({ energyJ }) => energyJ)).toEqual(energies);
    });
  });

  describe('with semicolons', () => {
    it('has a decimal comma, or a point', () => {
      const comma = read('variant;energy_j;duration_s\na;250,1;12,5\n"b; c";1e2;\n');
      expect(comma).toMatchObject({
        decimalComma: true,
        runs: [
          { energyJ: 250.1, durationS: 12.5 },
          { variant: 'b; c', energyJ: 100 },
        ],
      });
      expect(read('variant;energy_j\na, b;250.1\n')).toMatchObject({
        decimalComma: false,
        runs: [{ variant: 'a, b', energyJ: 250.1 }],
      });
    });

    it.each([
      ['variant;energy_j\na;250,1\nb;250.1\n', 'runs.csv, line 3: energy_j is "250.1", and line 2 has "250,1".'],
      ['variant;energy_j\na;1.250,1\n', 'energy_j is "1.250,1", which is not a number.'],
      ['variant;energy_j\na;1,250,100\n', 'energy_j is "1,250,100", which is not a number.'],
      ['variant;energy_j\na;1;2\n', 'it has 3 cells, and the header has 2.'],
      ['variant,energy_j\na,"250,1"\n', 'energy_j is "250,1", which is not a number.'],
    ])('%j is refused', (text, problem) => {
      expect(refusal(text).message).toContain(problem);
    });
  });
});
