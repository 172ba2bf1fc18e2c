// Class: system.
import { expect, it } from '@jest/globals';
import { KnownStacks } from '../../../../src/parts/explain/observers/stacks.ts';

const frameOf = (name: string) => ({ name, library: null });

it('keeps every function and every stack once', () => {
  const stacks = new KnownStacks(frameOf);
  const [one, same, other] = [['main', 'f'], ['main', 'f'], ['main']].map((reported) => stacks.of(reported));
  expect(one).toEqual([frameOf('main'), frameOf('f')]);
  expect(same).toBe(one);
  expect(other?.[0]).toBe(one?.[0]);
});

it('keeps no more functions and no longer stacks than there is room for, and goes on with those that it knows', () => {
  const names = new KnownStacks(frameOf, 2);
  expect(names.of(['a', 'b'])).not.toBeNull();
  expect([names.of(['c']), names.of(['b', 'a'])]).toEqual([null, [frameOf('b'), frameOf('a')]]);
  const parts = new KnownStacks(frameOf, 10, 4);
  expect(parts.of(['a', 'b', 'c'])).not.toBeNull();
  expect([parts.of(['a', 'b']), parts.of(['a', 'b', 'c'])?.length]).toEqual([null, 3]);
});
