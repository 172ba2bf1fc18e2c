// Class: unit.
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import {
  alert,
  details,
  list,
  note,
  type Part,
  paragraph,
  section,
  table,
} from '../../../src/report/document/blocks.ts';
import { htmlInline, renderHtml } from '../../../src/report/document/html.ts';
import { renderMarkdown } from '../../../src/report/document/markdown.ts';
import { renderTerminal } from '../../../src/report/document/terminal.ts';
import { name, type Text } from '../../../src/report/document/text.ts';
import { displayWidth } from '../../../src/report/document/width.ts';
import { render, visible } from '../render.ts';

const NASTY = '<b>@octocat</b> `x` | $y$ #12';
const sentence: Text = [
  'Let one window hold several of ',
  name(NASTY),
  ': ',
  { code: 'batch: auto' },
  ' finds how many.',
];
const numbers = [
  { variant: 'native', energy: '249.8 J', verdict: 'equivalent', note: 'the first of all, with words' },
  { variant: NASTY, energy: '257.8 J', verdict: 'increase', note: 'the second of all, with more words' },
] as const;
const numberTable = table('Numbers', numbers, [
  { head: 'Variant', cell: ({ variant }) => name(variant) },
  { head: 'Energy', numeric: true, cell: ({ energy }) => energy },
  { head: 'Interval', margin: 1, cell: ({ verdict }) => ({ estimate: 2, interval: [1, 3] as const, verdict }) },
  { head: 'Remark', spare: 1, cell: ({ note }) => note },
  { head: 'Verdict', cell: ({ verdict }) => ({ verdict }) },
  { head: 'Unknown', spare: 2, cell: () => null },
]);
const document: readonly Part[] = [
  { kind: 'heading', level: 1, text: [name('sort'), ' uses more'], verdict: 'increase' },
  null,
  alert('caution', paragraph({ strong: ['This fails the job:'] }), list([sentence])),
  [paragraph('- no list, # no heading'), paragraph(...sentence)],
  section('numbers', ['Numbers'], numberTable, note('small print')),
  details(['More of ', name(NASTY)], list([['one'], ['two']])),
  { kind: 'paragraph', text: ['needs a program'], role: 'fallback' },
  { kind: 'code', language: 'sh', lines: ['joulediff run', 'joulediff report experiment.db'] },
];

describe('a document', () => {
  it('in Markdown has code for code and names, and nothing of a name is Markdown', () => {
    const markdown = renderMarkdown(document);
    expect(markdown).toContain('### 🔺 `sort` uses more\n');
    expect(markdown).toContain('`batch: auto` finds how many.');
    expect(markdown).toContain('> [!CAUTION]\n> **This fails the job:**\n>\n> - Let one window');
    expect(markdown).toContain('🔺 more energy');
    expect(markdown).not.toContain('Interval');
    expect(markdown).not.toContain('needs a program');
    const html = render(markdown);
    expect(html).not.toMatch(/<b>|<a |<h1>/);
    expect(visible(html)).toContain('- no list, # no heading');
    expect(html).toContain('<code>&lt;b&gt;@octocat&lt;/b&gt; `x` | $y$ #12</code>');
    expect(markdown).toContain('<summary>More of <code>&lt;b&gt;@octocat');
  });

  it('in HTML has the same, an address for each section, and drawings of intervals', () => {
    const html = renderHtml(document);
    expect(html).toContain('<code>batch: auto</code> finds how many.');
    expect(html).toContain('<code><bdi>&lt;b&gt;@octocat&lt;/b&gt; `x` | $y$ #12</bdi></code>');
    expect(html).toContain('<section id="numbers" aria-labelledby="numbers-heading">');
    expect(html).toContain('<td class="number" data-head="Energy">249.8\u00a0J</td>');
    expect(html.match(/<svg class="interval"/g)).toHaveLength(3);
    expect(html).toContain('<p class="note static">needs a program</p>');
    expect(html).toContain('<pre><code>joulediff run\njoulediff report experiment.db</code></pre>');
    expect(html).not.toContain('<b>@');
  });

  it('ends no line between a number and its unit, and leaves names and code as they are', () => {
    const spaced: Text = [
      'It took 3.2 s, 4 min 10 s and ±75 % of 12 Wh in ',
      name('run 5 s'),
      ' or ',
      { code: 'rest: 20 s' },
    ];
    const bound = 'It took 3.2\u00a0s, 4\u00a0min 10\u00a0s and ±75\u00a0% of 12\u00a0Wh in';
    expect(renderMarkdown([paragraph(...spaced)])).toContain(`${bound} \`run 5 s\` or \`rest: 20 s\``);
    expect(renderHtml([paragraph(...spaced)])).toContain(
      `${bound} <code><bdi>run 5 s</bdi></code> or <code>rest: 20 s</code>`,
    );
    const words: Text = ['It took 3.2 s, 4 min 10 s and 75 % of 12 Wh, 3 GiB, 20 runs and 4 hosts'];
    for (let width = 12; width < 80; width++) {
      const text = renderTerminal([paragraph(...words)], { width, color: false });
      expect(text).not.toMatch(/\d\n(s|min|%|Wh|GiB)\b|\u00a0/);
      expect(text.trim().split(/\s+/).join(' ')).toBe(words.join(''));
    }
  });

  it('on a terminal fits its width, drops the columns that can be spared, and says the same with color', () => {
    for (const width of [100, 80, 60, 40]) {
      const text = renderTerminal(document, { color: false, width });
      for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      expect(stripVTControlCharacters(renderTerminal(document, { color: true, width }))).toBe(text);
      expect(text).toMatch(/more energy\n|more energy {2}/);
    }
    const narrow = renderTerminal(document, { color: false, width: 60 });
    expect(narrow).toContain('“batch: auto”');
    expect(narrow).not.toContain('Unknown');
    expect(renderTerminal(document, { color: false, width: 120 })).toContain('Unknown');
  });

  it('of many rows folds most of them in a page', () => {
    const rows = Array.from({ length: 50 }, (_, i) => i);
    const html = renderHtml([table('Many', rows, [{ head: 'n', numeric: true, cell: String }])]);
    expect(html).toContain('<summary>20 more</summary>');
    expect(html).toContain('aria-label="Many, continued"');
  });
});

it('HTML keeps each option of a command in one line', () => {
  const html = htmlInline([{ code: 'joulediff run --parallel-jobs 2 a-b' }]);
  expect(html).toBe('<code>joulediff run <span class="whole">--parallel-jobs</span> 2 a-b</code>');
  // compare calls its variants as their commands.
  expect(htmlInline([{ name: 'sort --parallel=1 f' }])).toContain('sort <span class="whole">--parallel</span>=1 f');
});
