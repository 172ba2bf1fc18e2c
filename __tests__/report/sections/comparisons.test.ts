// Class: unit.
import { expect, it } from '@jest/globals';
import { renderMarkdown } from '../../../src/report/document/markdown.ts';
import { why } from '../../../src/report/sections/comparisons.ts';
import { richAnalysis } from '../synthetic/rich.ts';

it('the list of reasons names the baseline where there are several', () => {
  const { findings } = richAnalysis({ variants: ['a', 'b', 'c'].map((name, i) => ({ name, meanJ: 250 + 20 * i })) });
  const chain = findings.comparisons.map((one) => (one.variant === 'c' ? { ...one, baseline: 'b' } : one));
  const listed = (comparisons: typeof findings.comparisons): string =>
    renderMarkdown([why({ ...findings, comparisons }, 9)]);
  expect(listed(chain)).toMatch(/- `c` against `b`: .*\n- `b` against `a`: /);
  expect(listed(findings.comparisons)).toMatch(/- `c`: .*\n- `b`: /);
});
