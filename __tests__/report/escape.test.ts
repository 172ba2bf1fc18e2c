// Class: unit.
import { describe, expect, it } from '@jest/globals';
import {
  copiedWord,
  escapeHtml,
  escapeJsonForScript,
  escapeXml,
  fenced,
  htmlText,
  latexText,
  markdownName,
  markdownText,
  mermaidLabel,
} from '../../src/report/escape.ts';
import { plain } from '../../src/text/plain.ts';
import { hostileNames } from './fixtures.ts';
import { elements, render, visible } from './render.ts';
import { gaussian } from './synthetic/random.ts';

/** Random texts of the characters that mean something somewhere. */
function nasty(count: number): string[] {
  const alphabet = [...'ab1 _*~`|<>[]()!#@$&\\"\'-+=.:;/%{}\n\r\t\u0000\u001b\u202e\u200b\u2028é漢😀'];
  const random = gaussian(11);
  return Array.from({ length: count }, () =>
    Array.from({ length: 24 }, () => alphabet[Math.floor(Math.abs(random()) * 1000) % alphabet.length]).join(''),
  );
}

const texts = [...hostileNames, ...nasty(400)];

describe('markdownName', () => {
  it('is shown as it is, in a table of GitHub, and nothing is made of it', () => {
    for (const text of texts) {
      const html = render(`| a | b |\n| --- | --- |\n| ${markdownName(text)} | end |\n`);
      expect(elements(html)).toEqual(['code', 'table', 'tbody', 'td', 'th', 'thead', 'tr']);
      expect(html.match(/<td/g)).toHaveLength(2);
      const shown = plain(text, 60).replace(/\|/g, '¦');
      expect(visible(html.slice(html.indexOf('<td>'))).replace(/\u2060/g, '')).toContain(
        shown === '' ? '(empty)' : shown,
      );
    }
  });

  it('leaves no look-alike of a hidden marker in the source', () => {
    for (const text of texts) expect(markdownName(text)).not.toMatch(/<!--|\||\n/);
  });
});

describe('latexText', () => {
  it('leaves TeX nothing but letters, its own commands and balanced braces', () => {
    for (const text of texts) {
      const left = latexText(text)
        .replace(
          /\\(?:text(?:backslash|asciicircum|asciitilde|less|greater|bar)|ldots)\{\}|\{\\char34\}|\\[{}$&#_%]/g,
          ' ',
        )
        .replace(/\$(?:-|\\(?:pm|times|cdot|delta|Delta|mu|rightarrow|leq|geq|approx)|\^\\circ)\$/g, ' ')
        .replace(/\{\[\}U\+[0-9A-F]{4,6}\{\]\}|\{[[\]*]\}|(?<=[-'`,!?])\{\}/g, ' ');
      expect(left).not.toMatch(/[\\{}$&#_%^"[\]*<>|\n\r]|--|''|``|,,|[^ -~\u00c0-\u017f]/);
    }
  });

  it('writes what the reader sees', () => {
    expect(latexText('50 % & a_b~{x}\\y^2 #1 $')).toBe(
      '50 \\% \\& a\\_b\\textasciitilde{}\\{x\\}\\textbackslash{}y\\textasciicircum{}2 \\#1 \\$',
    );
    expect(latexText('--flag [1] −2 ± é ß 漢')).toBe('-{}-flag {[}1{]} $-$2 $\\pm$ é ß {[}U+6F22{]}');
  });
});

describe('markdownText', () => {
  it('is shown as prose, and nothing is made of it', () => {
    for (const text of texts) {
      const html = render(`**${markdownText(text)}** end\n`);
      expect(elements(html).filter((e) => e !== 'span')).toEqual(
        ['p', 'strong'].filter((e) => html.includes(`<${e}>`)),
      );
      const shown = plain(text).replace(/ +/g, ' ');
      expect(
        visible(html)
          .replace(/\u2060/g, '')
          .replace(/ +/g, ' '),
      ).toContain(shown);
    }
  });

  it('leaves nothing that a forge makes a mention, a reference, a link, an emoji, a formula or a marker of', () => {
    for (const text of texts) {
      const escaped = markdownText(text);
      const seen = visible(render(escaped));
      expect(seen).not.toMatch(/@[a-z0-9]|#\d|\bGH-\d|:\/\/|\bwww\.|:[a-z0-9_+-]+:/i);
      expect(escaped).not.toMatch(/<!--|<(?!\/?span>)|\||`|\n/);
      expect(escaped.replace(/<span>&#36;<\/span>/g, '')).not.toContain('$');
    }
    expect(markdownText('fixed in 1a2b3c4d5e')).not.toMatch(/\b1a2b3c4d5e\b/);
    expect(markdownText('seed 20261120')).toBe('seed 20261120');
    // An underscore before it makes no difference to a forge.
    for (const text of ['_www.evil.example', '_GH-7', '_1a2b3c4d5e']) expect(markdownText(text)).toContain('\u2060');
  });

  it('does not start a list, a heading or a quotation', () => {
    for (const text of ['- a', '+ a', '1. a', '2) a', '# a', '> a', '= a', '---']) {
      expect(elements(render(markdownText(text)))).toEqual(['p']);
    }
  });
});

describe('fenced', () => {
  it('cannot end a fence, nor look like a marker in the source', () => {
    for (const text of texts) {
      expect(elements(render(`\`\`\`text\n${fenced(text)}\n\`\`\`\n`))).toEqual(['code', 'pre']);
      expect(fenced(text)).not.toMatch(/[`<>\n]/);
    }
  });
});

describe('mermaidLabel', () => {
  it('has only what no grammar reads as syntax, and is never empty', () => {
    for (const text of texts) expect(mermaidLabel(text)).toMatch(/^[\p{L}\p{N} ._:/=+-]+$/u);
  });
});

describe('HTML, XML and JSON', () => {
  it('end neither an element nor an attribute', () => {
    for (const text of texts) {
      for (const escaped of [htmlText(text), escapeXml(text), escapeHtml(text)]) {
        expect(escaped).not.toMatch(/[<>"']/);
        expect(escaped).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
      }
      const json = escapeJsonForScript(JSON.stringify({ text }));
      expect(json).not.toMatch(/<|\u2028|\u2029/);
      expect(JSON.parse(json)).toEqual({ text });
    }
  });
});

describe('copiedWord', () => {
  it('quotes what a shell would read', () => {
    expect(copiedWord('watts-up-pro:/dev/serial/by-id/usb-A')).toBe('watts-up-pro:/dev/serial/by-id/usb-A');
    expect(copiedWord("a b'; rm -rf /")).toBe(`'a b'\\''; rm -rf /'`);
    expect(copiedWord('$(id)')).toBe("'$(id)'");
  });
});
