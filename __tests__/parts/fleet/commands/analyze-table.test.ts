// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { analyzeTable } from '../../../../src/parts/fleet/commands/analyze-table.ts';

const NAMES = ['1.2', '1.20', '3'];
const TABLE = `variant,energy_j,duration_s\n${[1, 2, 3, 4, 5].map((i) => NAMES.map((name, n) => `${name},${100 + 10 * n + i},1\n`).join('')).join('')}`;
const analyze = (failOn: string) =>
  analyzeTable('runs.csv', TABLE, { baseline: '1.2', margin: undefined, failOn: [failOn] });

describe('a limit for a CSV of runs', () => {
  it('may be of a variant whose name is a number', () => {
    const { thresholds } = analyze('{ above: 5%, variant: 1.20 }').findings;
    expect(thresholds).toMatchObject([{ variant: '1.20', state: 'crossed' }]);
  });

  it.each(['1.2', '1.3'])('is refused for %s, which is compared with no baseline', (name) => {
    expect(() => analyze(`{ above: 5%, variant: ${name} }`)).toThrow(
      `--fail-on names "${name}", which is compared with`,
    );
  });
});
