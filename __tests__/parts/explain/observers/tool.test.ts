// Class: system.
import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { tryOut, untilReady } from '../../../../src/parts/explain/observers/perf/control.ts';
import { Tool, takeLines } from '../../../../src/parts/explain/observers/tool.ts';
import { ownerToken } from '../../../../src/processes/owner.ts';

it('a tool that is not there is told, and so is one that may not do it', async () => {
  await expect(Tool.start('joulediff-no-such-tool', [])).rejects.toMatchObject({ limitation: 'no-tool' });
  await expect(tryOut(() => Tool.start('false', []))).rejects.toMatchObject({ limitation: 'not-allowed' });
});

it('one that hangs is ended with all that it started', async () => {
  const tool = await Tool.start('sh', ['-c', 'trap "" INT TERM; sleep 1000 & echo $!; wait; sleep 1000']);
  const { promise: reported, resolve } = Promise.withResolvers<number>();
  tool.child.stdout?.once('data', (text) => resolve(Number(text)));
  const child = await reported;
  tool.interrupt();
  await expect(tool.end(1)).rejects.toMatchObject({ limitation: 'hangs' });
  expect(tool.isRunning).toBe(false);
  const isThere = () => {
    try {
      return process.kill(child, 0);
    } catch {
      return false;
    }
  };
  for (const untilMs = Date.now() + 60_000; isThere() && Date.now() < untilMs; ) await new Promise(setImmediate);
  expect(isThere()).toBe(false);
});

it('one whose end nobody waits for any more is ended', async () => {
  const tool = await Tool.start('sleep', ['1000']);
  const stop = new AbortController();
  const ending = tool.end(1_000_000, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(ending).rejects.toThrow('stopped');
  expect(tool.isRunning).toBe(false);
});

it('one that ends instead of beginning is not waited for', async () => {
  const tool = await Tool.start('true', [], true);
  await expect(untilReady(tool, new AbortController().signal)).rejects.toMatchObject({ limitation: 'not-allowed' });
});

it('one that never says that it is ready ends with the program', async () => {
  const tool = await Tool.start('sleep', ['1000'], true);
  const stop = new AbortController();
  const waiting = untilReady(tool, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  expect(tool.isRunning).toBe(false);
});

it('it carries the mark of whoever started it, and no secret of the environment', async () => {
  process.env.JOULEDIFF_TEST_SECRET = 'secret';
  try {
    const tool = await Tool.start('env', []);
    const lines: string[] = [];
    takeLines(tool.child.stdout, (line) => lines.push(line));
    expect(await tool.end(60_000)).toBe(0);
    expect(lines).toEqual(expect.arrayContaining(['LC_ALL=C', `JOULEDIFF_OWNER=${ownerToken()}`]));
    expect(lines.join()).not.toContain('secret');
  } finally {
    delete process.env.JOULEDIFF_TEST_SECRET;
  }
});

it('a line without an end is not kept, and the lines around it are', async () => {
  const lines: string[] = [];
  const long = 'x'.repeat(50_000);
  const stream = Readable.from([Buffer.from('one\ntw'), Buffer.from(`o\n${long}`), long, `${long}\nthree\nfour`]);
  takeLines(stream, (line) => lines.push(line));
  await new Promise((done) => stream.once('close', done));
  expect(lines).toEqual(['one', 'two', 'three', 'four']);
});
