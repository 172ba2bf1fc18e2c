// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { GRAMMAR, parseRequest } from '../../../../src/parts/fleet/request/grammar.ts';

describe('a comment', () => {
  it.each([
    'Looks good',
    ' /joulediff',
    '> /joulediff',
    'please\n/joulediff',
    '`/joulediff`',
    '',
    '\ufeff/joulediff',
    null,
    7,
    ['/joulediff'],
  ])('that begins with something else asks for nothing: %j', (comment) => {
    expect(parseRequest(comment)).toBeNull();
  });

  it.each([
    ['/joulediff', {}],
    [
      '/joulediff  base=v1.2   repetitions=auto variant=container',
      { base: 'v1.2', repetitions: 'auto', variant: 'container' },
    ],
    ['/joulediff base=feature/a_b+c repetitions=999', { base: 'feature/a_b+c', repetitions: '999' }],
    [`/joulediff head=${'A1'.repeat(20)}`, { head: 'A1'.repeat(20) }],
    ['/joulediff repetitions=10\r\nbase=--output=/etc/passwd\n$(reboot)', { repetitions: '10' }],
  ])('asks to measure with the options of its first line only: %j', (comment, options) => {
    expect(parseRequest(comment)).toEqual({ kind: 'measure', options });
  });

  it('asks for the other things', () => {
    expect(parseRequest('/joulediff help')).toEqual({ kind: 'help' });
    expect(parseRequest('/joulediff cancel\nthanks')).toEqual({ kind: 'cancel' });
    const reason = 'a "cache" is worth $(it) & `more` <b>';
    expect(parseRequest(`/joulediff accept ${reason}\nsecond line`)).toEqual({
      kind: 'accept',
      reason,
      options: {},
    });
    expect(parseRequest('/joulediff accept head=0123ABC head=x')).toEqual({
      kind: 'accept',
      reason: 'head=x',
      options: { head: '0123ABC' },
    });
  });

  it.each([
    ['/joulediffs', /"\/joulediffs" was given/],
    ['/joulediff meter=command:reboot', /"meter" was given; the options are base, head, repetitions and variant/],
    ['/joulediff variants=x', /did you mean variant\?/],
    ['/joulediff canel', /did you mean cancel\?/],
    ['/joulediff base', /can’t be the value of base/],
    ['/joulediff base=', /can’t be the value of base/],
    ['/joulediff base=--upload-pack=x', /can’t be the value of base/],
    ['/joulediff base=-x', /can’t be the value of base/],
    ['/joulediff base=a..b', /can’t be the value of base/],
    ['/joulediff base=a/../b', /can’t be the value of base/],
    ['/joulediff base=a/.b', /can’t be the value of base/],
    ['/joulediff base=a//b', /can’t be the value of base/],
    ['/joulediff base=main.lock', /can’t be the value of base/],
    ['/joulediff base=main@{1}', /can’t be the value of base/],
    ['/joulediff base=a:b', /can’t be the value of base/],
    ['/joulediff base=$(id)', /can’t be the value of base/],
    ['/joulediff base=`id`', /can’t be the value of base/],
    ['/joulediff base="main"', /can’t be the value of base/],
    ["/joulediff variant=a';id;'", /can’t be the value of variant/],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of a workflow
    ['/joulediff variant=${{github.token}}', /can’t be the value of variant/],
    ['/joulediff repetitions=0', /can’t be the value of repetitions/],
    ['/joulediff repetitions=1000', /can’t be the value of repetitions/],
    ['/joulediff repetitions=1e3', /can’t be the value of repetitions/],
    ['/joulediff head=main', /can’t be the value of head/],
    ['/joulediff base=a base=b', /base was given twice/],
    ['/joulediff __proto__=x', /"__proto__" was given/],
    ['/joulediff help me', /help takes no more words/],
    ['/joulediff accept', /accept needs a reason/],
    ['/joulediff accept   ', /accept needs a reason/],
    ['/joulediff accept head=0123abc', /accept needs a reason/],
    ['/joulediff accept head=main fine', /"main" can’t be the value of head/],
    [`/joulediff accept ${'x'.repeat(201)}`, /accept needs a reason of 1 to 200/],
    ['/joulediff base=ma\u202ein', /can’t be seen/],
    ['/joulediff accept fine\u2066', /can’t be seen/],
    ['/joulediff\u2028base=a', /can’t be seen/],
    ['/joulediff \u0000', /can’t be seen/],
    ['/joulediff \u001b[2J', /can’t be seen/],
    ['/joulediff \ud800', /can’t be seen/],
    [`/joulediff ${'x'.repeat(60_000)}`, /has 60011 characters; the limit is 500/],
  ])('with a mistake says what is wrong: %j', (comment, detail) => {
    expect(parseRequest(comment)).toEqual({ kind: 'wrong', detail: expect.stringMatching(detail) });
  });

  it('has a grammar whose examples are understood, and that asks for nothing itself', () => {
    const shown = [...GRAMMAR.matchAll(/`(\/joulediff[^`]*)`/g)].map(([, example = '']) => parseRequest(example)?.kind);
    expect(shown).toEqual(['measure', 'measure', 'accept', 'accept', 'cancel', 'help']);
    expect(parseRequest(GRAMMAR)).toBeNull();
  });
});
