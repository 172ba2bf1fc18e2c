import { hostileNames } from './fixtures.ts';
import { gaussian } from './synthetic/random.ts';

/** What means something to Markdown, to a forge, to HTML, to a terminal, to CSV, or to a reader's eyes. */
const PIECES = [
  '|',
  '`',
  '``',
  '```\n',
  '\n',
  '\r\n',
  '\n\n## heading\n',
  '\n- ',
  '> ',
  '<b>',
  '</details>',
  '</summary>',
  '<!-- joulediff key=a/b/c run=999999 attempt=9 sha=none -->',
  '<!--',
  '-->',
  '<a href="https://evil.example">',
  '<img src=x onerror=alert(1)>',
  '@octocat',
  '@org/team',
  '#123',
  'GH-7',
  'octo/demo#5',
  'https://evil.example/?q=1',
  'www.evil.example',
  'mail@evil.example',
  '[link](http://evil.example)',
  '![i](http://evil.example)',
  '[ref]: http://evil.example',
  '**bold**',
  '_it_',
  '~~no~~',
  ':smile:',
  '$x^2$',
  '\\',
  '&lt;',
  '&#64;',
  '😀',
  '👨‍👩‍👧‍👦',
  'שלום',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u2060',
  '\u0000',
  '\u001b[31m',
  '\ud800',
  '1a2b3c4d5e6f',
  'container',
  ' ',
  '-',
  '0',
];

/** Names of up to `longest` characters that attack a document, the same every time; all of them differ. */
export function nastyNames(count: number, seed: number, longest = 300): string[] {
  const random = gaussian(seed);
  const pick = (most: number): number => Math.floor(Math.abs(random()) * 1e6) % most;
  return Array.from({ length: count }, (_, i) => {
    if (i < hostileNames.length) return `${hostileNames[i]}${i}`;
    const length = 5 + pick(longest - 4);
    let name = '';
    while (name.length < length) name += PIECES[pick(PIECES.length)]!;
    return `${name.slice(0, length)}${i}`;
  });
}
