// Class: system.
import { describe, expect, it } from '@jest/globals';
import { KeptOutput } from '../../src/executors/kept-output.ts';
import { ANY_LINE } from '../../src/executors/phases/phase-lines.ts';

const MIB = 2 ** 20;
const WINDOW = { startNs: 0n, endNs: 1_000_000n };
const line = (text: string) => Buffer.from(`${text}\n`);

describe('KeptOutput', () => {
  it('keeps all of a short output', () => {
    const kept = new KeptOutput();
    kept.take(line('first'), 1n);
    kept.take(line('second'), 2n);
    expect(kept.text().toString()).toBe('first\nsecond\n');
    kept.take(line('third'), 3n);
    expect(kept.text().toString()).toBe('first\nsecond\nthird\n');
    expect(kept.length).toBe(19);
    expect(kept.tail(13, 100)).toBe('third\n');
    expect(kept.tail(0, 8)).toBe('d\nthird\n');
  });

  it('keeps both ends of a long one, and says how much is missing', () => {
    const kept = new KeptOutput();
    kept.take(line('first'), 1n);
    for (let i = 0; i < 40; i++) kept.take(Buffer.alloc(MIB, 0x78), 2n);
    kept.take(line('last'), 3n);
    const text = kept.text().toString();
    expect(kept.length).toBe(40 * MIB + 11);
    expect(text.startsWith('first\nxxx')).toBe(true);
    expect(text.endsWith('xxxlast\n')).toBe(true);
    expect(text).toContain(`left ${(24 * MIB + 11).toLocaleString('en-US')} bytes of output out here`);
    expect(text.length).toBeLessThan(16 * MIB + 200);
  });

  it('finds the phases of all of it, each at the time at which its line was there', () => {
    const kept = new KeptOutput([{ phase: 'load', pattern: '^Loading' }]);
    kept.take(Buffer.from('Load'), 10n);
    kept.take(Buffer.from('ing\nmore'), 20n);
    for (let i = 0; i < 30_000; i++) kept.take(line('x'), 30n);
    kept.take(line('::joulediff phase sort'), 40n);
    kept.take(Buffer.from('::joulediff end'), 50n);
    const { marks, problem } = kept.phases(WINDOW);
    expect(problem).toBeNull();
    expect(marks.map(({ phase, tNs }) => [phase, tNs])).toEqual([
      ['load', 20n],
      ['sort', 40n],
      [null, 50n],
    ]);
  });

  it.each([
    ['::joulediff phase sort', ['sort', null]],
    ['::joulediff end', [null]],
  ])('takes a marker before any line: %s', (marker, names) => {
    const kept = new KeptOutput([ANY_LINE]);
    kept.take(line(`Loading\n${marker}\ndone`), 10n);
    const { marks } = kept.phases(WINDOW);
    expect(marks.map(({ phase }) => phase)).toEqual(names);
    expect(marks.at(-1)?.tNs).toBe(names.length === 1 ? 10n : WINDOW.endNs);
  });

  it('tells what is wrong with a marker', () => {
    const kept = new KeptOutput();
    kept.take(line('::joulediff pahse sort'), 10n);
    expect(kept.phases(WINDOW)).toEqual({ marks: [], problem: expect.stringContaining('pahse') });
  });
});
