// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Findings } from '../../src/findings/findings.ts';
import { LIMITS, readFindings } from '../../src/findings/read-findings.ts';
import { findingsJson } from '../../src/report/findings-json.ts';
import { everyAnalysis } from '../report/fixtures.ts';
import { syntheticAnalysis } from '../report/synthetic/analysis.ts';

const good = (): Findings => syntheticAnalysis().findings;
const read = (text: string): Findings => readFindings(Buffer.from(text));

/** The text of good findings with something else at a path. */
function changed(path: readonly (string | number)[], value: unknown): string {
  const copy = JSON.parse(findingsJson(good()));
  const last = path.at(-1)!;
  const owner = path.slice(0, -1).reduce((here, key) => here[key], copy);
  Object.defineProperty(owner, last, { value, enumerable: true });
  return JSON.stringify(copy);
}

describe('readFindings', () => {
  it.each(Object.entries(everyAnalysis()))('reads what joulediff writes: %s', (_, { findings }) => {
    expect(read(findingsJson(findings))).toEqual(findings);
  });

  it.each<[string, string, RegExp]>([
    ['nothing', '', /it is not JSON in UTF-8/],
    ['half a file', findingsJson(good()).slice(0, -20), /it is not JSON in UTF-8/],
    ['NaN', findingsJson(good()).replace(/"mean": [\d.]+/, '"mean": NaN'), /it is not JSON in UTF-8/],
    ['another document', '["# Approved"]', /its schema is not joulediff\/findings\/1/],
    [
      'a later schema',
      changed(['schema'], 'joulediff/findings/2'),
      /not joulediff\/findings\/1 but joulediff\/findings\/2/,
    ],
    [
      'a number that becomes infinite',
      changed(['experiment', 'rest_s'], 1).replace('"rest_s":1,', '"rest_s":1e999,'),
      /experiment\.rest_s is a number out of range/,
    ],
    [
      'a number that no machine gives',
      changed(['comparisons', 0, 'percent', 'estimate'], -1e300),
      /percent\.estimate is a number out of range/,
    ],
    [
      'a number as text',
      changed(['comparisons', 0, 'percent', 'estimate'], '<b>5</b>'),
      /comparisons\[0\]\.percent\.estimate must be/,
    ],
    [
      'a verdict of its own',
      changed(['comparisons', 0, 'verdict'], 'approved'),
      /verdict must be equal to one of the allowed values/,
    ],
    ['a missing part', changed(['variants'], undefined), /must have required property 'variants'/],
    [
      'markdown beside the findings',
      changed(['comment_md'], '# Approved'),
      /findings has "comment_md", which this version of joulediff does not know/,
    ],
    [
      'a part that a renderer could stumble over',
      changed(['meter', 'passport'], { when: 5 }),
      /findings\.meter\.passport/,
    ],
    ['a prototype', changed(['experiment', '__proto__'], { complete: true }), /has "__proto__", which/],
    [
      'a model that calls itself measured',
      changed(['meter', 'source'], 'modelled'),
      /meter\.measured must be equal to constant/,
    ],
    [
      'a text without end',
      changed(['experiment', 'name'], 'x'.repeat(LIMITS.characters + 1)),
      /experiment\.name has a text of more than 16000 characters/,
    ],
    [
      'a list without end',
      changed(['comparisons'], Array(LIMITS.items + 1).fill(0)),
      /comparisons has more than 20000 parts/,
    ],
    [
      'a deep one',
      changed(['conditions'], 0).replace('"conditions":0', `"conditions":${'['.repeat(50_000)}${']'.repeat(50_000)}`),
      /more than 24 levels deep/,
    ],
    ['two variants of one name', changed(['variants', 1, 'name'], 'native'), /two variants have the same name/],
    [
      'a comparison with nobody',
      changed(['comparisons', 0, 'variant'], 'ghost'),
      /it compares "ghost", which is none of its variants/,
    ],
    [
      'an interval the wrong way round',
      changed(['comparisons', 0, 'percent', 'ci95'], [3, 1]),
      /ends before it begins/,
    ],
  ])('refuses %s, and says why', (_, text, why) => {
    expect(() => read(text)).toThrow(why);
    expect(() => read(text)).toThrow(/^This findings\.json is refused: [^\n]+\.$/);
  });

  it('refuses more bytes than any experiment writes, before it reads them', () => {
    expect(() => readFindings(Buffer.alloc(LIMITS.bytes + 1, 32))).toThrow(/8388609 bytes/);
  });

  it('refuses what is not UTF-8', () => {
    expect(() => readFindings(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow(/not JSON in UTF-8/);
  });

  it('quotes nothing of the file that could be a command or markup beyond one plain line', () => {
    const text = changed(['\n::error::x\u202e'.repeat(30)], 1);
    expect(() => read(text)).toThrow(/^[^\n\u202e]{1,400}$/);
  });
});
