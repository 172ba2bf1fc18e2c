// Class: unit.
import { expect, it } from '@jest/globals';
import { experimentFrom } from '../../../../src/experiment/read.ts';
import { variantOf } from '../../../../src/parts/fleet/bisect/at-commits.ts';

it.each(['host', 'ssh://load'])('a client at %s is refused where nothing would run at a commit', (place) => {
  const given = (at: string, more = {}) =>
    experimentFrom(
      {
        workload: { run: './load', place },
        services: { server: { run: ':', place: at } },
        variants: { a: {}, b: {} },
        ...more,
      },
      { where: 'test', directory: '/somewhere' },
    );
  const deployed = { hooks: { prepare: { run: './deploy', place: 'variant' } } };
  expect(() => variantOf(given('host'), null)).toThrow('No commit would make a difference: the client is the same');
  expect(variantOf(given('variant'), 'b').name).toBe('b');
  expect(variantOf(given('host', deployed), 'b').name).toBe('b');
});
