// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { revisionChecks } from '../../../src/analysis/checks/revisions.ts';
import type { ContainerVariant } from '../../../src/executors/container/variant.ts';
import type { VariantRecord } from '../../../src/store/records.ts';
import { reportedCheck } from '../../report/words/reported.ts';
import { nativeAndContainer } from '../../store/fixtures.ts';

const [native, container] = nativeAndContainer.variants;
if (native?.kind !== 'native' || container?.kind !== 'container') throw new Error('other fixtures');

const variant = (
  name: string,
  definition: Partial<ContainerVariant>,
  revision: string | null = 'main',
): VariantRecord => ({
  name,
  position: 1,
  kind: 'container',
  definition: { ...container, ...definition },
  facts: {},
  surroundings: null,
  unseen: null,
  version: null,
  revision: revision === null ? null : { name: revision, commit: '1'.repeat(40) },
  hidden: false,
});

describe('the check of revisions', () => {
  it('is not made where there are none', () => {
    expect(revisionChecks([variant('container', {}, null)])).toEqual([]);
  });

  it('warns of containers that a revision changes nothing in', () => {
    const [check] = revisionChecks([variant('base', {}), variant('head', {}, 'HEAD'), variant('plain', {}, null)]);
    expect(check).toMatchObject({ name: 'revisions', state: 'warn' });
    expect(reportedCheck(check!).detail).toMatch(/^base, head: the image is not built from the revision/);
  });

  it.each([
    [
      'is built from it',
      variant('a', { build: { context: '/p', dockerfile: '/p/Dockerfile', target: null, args: {} } }),
    ],
    ['sees a folder', variant('a', { volumes: ['/p:/work'] })],
    ['runs on the host', { ...variant('a', {}), definition: native }],
    [
      'runs where only another version of the program runs',
      { ...variant('a', {}), definition: { ...native, kind: 'moon' } as never },
    ],
  ])('is fine with what %s', (_, record) => {
    expect(revisionChecks([record])).toMatchObject([{ state: 'ok', reason: 'seen' }]);
  });
});
