// Each call leaves a mark in the file `calls`.
import { appendFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const mark = (text) => appendFileSync('calls', text);

describe('marks', () => {
  test('one (1) [a-1]', async ({ bench }) => {
    await bench('one', () => mark('x')).run();
  });
  test('compared', async ({ bench }) => {
    const results = await bench.compare(
      bench('late', async () => {
        await null;
        mark('l');
      }),
      bench('with hooks', { beforeEach: () => mark('('), afterEach: () => mark(')') }, () => mark('h')),
    );
    expect(results.get('late')).toBeFasterThan(results.get('with hooks'));
  });
});
test('broken', async ({ bench }) => {
  await bench('broken', () => {
    throw new Error('no');
  }).run();
});
