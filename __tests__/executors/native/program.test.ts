// Class: unit.
import { tmpdir } from 'node:os';
import { expect, it } from '@jest/globals';
import type { VariantBase } from '../../../src/contracts/variant.ts';
import { checkStart } from '../../../src/executors/native/program.ts';

it('hints at compiling only where a program is missing in the checkout of a revision', () => {
  const workload = { run: './no-such-program', prepare: null } as VariantBase['workload'];
  const adviceFor = (revision: Partial<Pick<VariantBase, 'revision'>>): string => {
    try {
      checkStart({ name: 'a', workload, ...revision }, tmpdir(), {});
      return 'none: it can be started';
    } catch (thrown) {
      return (thrown as { advice: string }).advice;
    }
  };
  const place = `Its path starts from ${tmpdir()}.`;
  expect(adviceFor({})).toBe(place);
  expect(adviceFor({ revision: { name: 'main', commit: null } })).toBe(
    `${place} A checkout holds only what is committed: compile the rest in a hook (hooks.before-all with place: variant).`,
  );
});
