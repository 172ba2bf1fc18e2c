// Class: system.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Status } from '../../src/measure/progress.ts';
import { terminalProgress } from '../../src/terminal/progress.ts';

const status = (block: number, done: number): Status => {
  return {
    done,
    total: 64,
    block,
    blocks: 30,
    warmup: block < 1,
    variant: 'container',
    remainingS: 250,
    calibrating: false,
    soFar: null,
  };
};

function screen(isTTY: boolean) {
  let text = '';
  return { isTTY, columns: 80, write: (t: string) => (text += t), text: () => text };
}

describe('terminalProgress', () => {
  it('rewrites one line before a person, and keeps notes above it', () => {
    const s = screen(true);
    const progress = terminalProgress(s);
    progress.status(status(0, 1));
    progress.status(status(3, 9));
    progress.warn('run 9 is failed');
    progress.status(status(4, 10));
    progress.end();
    const shown = s.text().split('\n');
    expect(shown[0]?.split('\r\x1b[K').slice(1)).toEqual([
      '  1 % · 4 min 10 s left · warm-up · run 2 of 64: container',
      ' 14 % · 4 min 10 s left · block 3 of 30 · run 10 of 64: container',
      'Warning: run 9 is failed',
    ]);
    expect(shown.at(-1)?.endsWith('\r\x1b[K')).toBe(true);
  });

  it('counts the time that is left down, and shows the line again after a note', () => {
    jest.useFakeTimers();
    const s = screen(true);
    const progress = terminalProgress(s);
    progress.status(status(3, 9));
    progress.note('The machine is busy.');
    jest.advanceTimersByTime(10_000);
    progress.end();
    jest.advanceTimersByTime(10_000);
    jest.useRealTimers();
    const [, note = '', ...later] = s.text().split(/\r\x1b\[K/);
    expect(note).toBe(' 14 % · 4 min 10 s left · block 3 of 30 · run 10 of 64: container');
    expect(later).toEqual([
      'The machine is busy.\n',
      ' 14 % · 4 min 5 s left · block 3 of 30 · run 10 of 64: container',
      ' 14 % · 4 min left · block 3 of 30 · run 10 of 64: container',
      '',
    ]);
  });

  it('tells no time that is left while it is found how many executions fill a window', () => {
    const s = screen(false);
    const progress = terminalProgress(s);
    progress.status({ ...status(0, 1), remainingS: null, calibrating: true });
    progress.end();
    expect(s.text()).toBe('  1 % · warm-up, calibrating · run 2 of 64: container\n');
  });

  it('shows the whole line where the terminal does not tell its width', () => {
    const s = { ...screen(true), columns: 0 };
    terminalProgress(s).status(status(3, 9));
    expect(s.text()).toMatch(/run 10 of 64: container$/);
  });

  it('breaks sentences at spaces, as wide as the terminal is, and keeps what is left of the time on the line', () => {
    const s = { ...screen(true), columns: 40 };
    const progress = terminalProgress(s);
    progress.note('The database of this experiment is in /a/path/that/is/longer/than/the/line/of/the/terminal');
    progress.status({ ...status(3, 9), variant: 'sort --parallel=1 --buffer-size=10% file' });
    progress.end();
    const [first, second, third, live] = s.text().split('\n');
    expect([first, second]).toEqual([
      'The database of this experiment is in',
      '/a/path/that/is/longer/than/the/line/of/the/terminal',
    ]);
    expect(third).toBe('\r\x1b[K 14 % · 4 min 10 s left · block 3 of 30\r\x1b[K');
    expect(live).toBeUndefined();
  });

  it('cuts a name of wide characters where the terminal ends', () => {
    const s = { ...screen(true), columns: 80 };
    terminalProgress(s).status({ ...status(3, 9), variant: '测'.repeat(60) });
    expect(s.text()).toMatch(/run 10 of 64: 测{11}$/);
  });

  it('shows nothing of a sentence that a terminal obeys, and no credential', () => {
    for (const isTTY of [true, false]) {
      const s = screen(isTTY);
      const progress = terminalProgress(s);
      progress.warn(`it said \x1b[31mred\x1b]0;owned\x07\u202e and\n    \x9b2Jghp_${'a1'.repeat(18)}\r`);
      progress.note('API_KEY=swordfish');
      progress.end();
      expect(s.text()).toBe('Warning: it said red and\n    ***\n\nAPI_KEY=***\n');
    }
  });

  it('writes a plain line now and then into a log', () => {
    const s = screen(false);
    let now = 0;
    const progress = terminalProgress(s, () => now);
    for (let block = 1; block <= 10; block++) {
      now += 10_000;
      progress.status(status(block, block));
    }
    const lines = s.text().trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[1]).toBe('  4 % · 4 min 10 s left · block 3 of 30 · run 4 of 64: container');
    expect(s.text()).not.toMatch(/[\x1b\r]/);
    progress.end();
  });

  describe('in a log', () => {
    beforeEach(() => {
      jest.useFakeTimers();
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it('is never silent for longer than 30 s: what runs, for how long, how long still', () => {
      const s = screen(false);
      const progress = terminalProgress(s);
      progress.note('Building an image');
      jest.advanceTimersByTime(65_000);
      progress.status(status(3, 9));
      jest.advanceTimersByTime(65_000);
      progress.end();
      jest.advanceTimersByTime(300_000);
      expect(s.text().trimEnd().split('\n')).toEqual([
        'Building an image',
        '… for 30 s: Building an image',
        '… for 1 min: Building an image',
        ' 14 % · 4 min 10 s left · block 3 of 30 · run 10 of 64: container',
        ' 14 % · 3 min 40 s left · block 3 of 30 · run 10 of 64: container · for 30 s',
        ' 14 % · 3 min 10 s left · block 3 of 30 · run 10 of 64: container · for 1 min',
      ]);
    });
  });
});
