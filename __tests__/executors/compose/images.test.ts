// Class: unit.
import { expect, it } from '@jest/globals';
import { tagOf, wantedImage } from '../../../src/executors/compose/images.ts';
import { composeKind } from '../../../src/executors/compose/kind.ts';
import { workload } from '../bench.ts';

const common = { name: 'stack', workload: workload({}) };
const variant = composeKind.resolve(common, { compose: { file: 'deploy/compose.yml' } } as never, '/home/me/project');

it('an image is for the platform that its service names', () => {
  expect(wantedImage(variant, 'web', { image: 'x', platform: 'linux/arm64' })).toMatchObject({
    platform: 'linux/arm64',
  });
  expect(wantedImage(variant, 'web', { image: 'x' })).not.toHaveProperty('platform');
});

it('a built image has one tag for all checkouts of a revision, and others for other variants and contexts', () => {
  const tagIn = (checkout: string, context: string, name = 'stack') => {
    const moved = composeKind.relocate({ ...variant, name }, (path) => path.replace('/home/me/project', checkout));
    return tagOf(moved, 'web', { build: { context: `${checkout}/${context}` } });
  };
  const tag = tagIn('/tmp/one', 'web');
  expect(tag).toMatch(/^joulediff\/stack-web:/);
  expect(tagIn('/tmp/two', 'web')).toBe(tag);
  expect(tagIn('/tmp/one', 'other')).not.toBe(tag);
  expect(tagIn('/tmp/one', 'web', 'other')).not.toBe(tag);
});
