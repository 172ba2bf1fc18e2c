// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { resolveExperiment } from '../../src/experiment/resolve.ts';
import { experimentSchema } from '../../src/experiment/schema.ts';

const file = (phases: unknown) => ({ workload: { run: 'x' }, variants: { a: {}, b: {} }, phases });

describe('phases in the experiment file', () => {
  it('are lines that begin them, in the order of the file', () => {
    const checked = experimentSchema.parse(file({ load: '^Loading', sort: 'Loaded * rows' }));
    expect(resolveExperiment(checked, '/', { order: () => ['a', 'b'], given: () => undefined }).phases).toEqual([
      { phase: 'load', pattern: '^Loading' },
      { phase: 'sort', pattern: 'Loaded * rows' },
    ]);
  });

  it.each([
    ['auto', 'auto'],
    [{ auto: true }, 'auto'],
    [
      { auto: true, lines: 'end' },
      { auto: true, lines: 'end' },
    ],
    // A phase may have this name.
    [{ auto: '^engaged' }, [{ phase: 'auto', pattern: '^engaged' }]],
  ])('%j is recorded as %j', (phases, recorded) => {
    const checked = experimentSchema.parse(file(phases));
    const { phases: own } = resolveExperiment(checked, '/', { order: () => ['a', 'b'], given: () => undefined });
    expect(own).toEqual(recorded);
  });

  it.each([[undefined], [null], [{}]])('%j are none, and leave no trace in what is recorded', (phases) => {
    const checked = experimentSchema.parse(file(phases));
    expect(resolveExperiment(checked, '/', { order: () => ['a', 'b'], given: () => undefined })).not.toHaveProperty(
      'phases',
    );
  });

  it.each([
    [{ load: 'Loading .* done' }, 'no regular expression'],
    [{ load: '' }, 'plain text'],
    [{ load: 3 }, 'plain text'],
    [{ 'outside of phases': 'x' }, '1 to 60 printable characters'],
    [{ 'a\u001b[31m': 'x' }, '1 to 60 printable characters'],
    [['load'], 'a map of phases'],
    [{ auto: true, lines: 'middle' }, '{ auto: true, lines: end }'],
    [Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`p${i}`, 'x'])), '50 at most'],
  ])('%j are refused with what they must be', (phases, must) => {
    const result = experimentSchema.safeParse(file(phases));
    expect(JSON.stringify(result.error?.issues)).toContain(must);
  });
});
