import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readInputs } from '../src/action/inputs.ts';
import { main } from '../src/cli.ts';
import { experimentFrom } from '../src/experiment/read.ts';

// The pages for people: what they link to is there, and what they show is taken.

const PAGES = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const text = (page: string): string => readFileSync(page, 'utf8');
const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** The blocks of code in this language. */
const blocks = (page: string, language: string): string[] =>
  [...text(page).matchAll(FENCE)].flatMap(([, given, code]) => (given === language ? [code ?? ''] : []));

/** The anchors of a page's headings, as forges make them. */
const anchors = (page: string): string[] =>
  [
    ...text(page)
      .replaceAll(FENCE, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = '']) =>
    heading
      .replaceAll(/[`*]/g, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the pages for people', () => {
  it.each(PAGES)('%s links to pages, headings and pictures that are there', (page) => {
    const links = [
      ...text(page)
        .replaceAll(FENCE, '')
        .matchAll(/\]\(([^)\s]+)\)/g),
    ].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      return !existsSync(target) || (anchor !== undefined && !anchors(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('show comparisons in one line that joulediff takes', async () => {
    const lines = PAGES.flatMap((page) => blocks(page, 'sh'))
      .flatMap((code) => code.split('\n'))
      .filter((line) => line.startsWith('joulediff compare'));
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) {
      const words = [...line.replace(/ +#.*$/, '').matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      );
      let told = '';
      const stream = { write: (part: string) => (told += part) };
      // Everything is read before the number of runs is refused, and nothing is started.
      const code = await main([...words.slice(1), '--runs', '0'], { stdout: stream, stderr: stream });
      expect({ line, code, told }).toMatchObject({ code: 2, told: expect.stringMatching(/^--runs: 0 was given/) });
    }
  });

  it('show a workflow whose inputs the action takes', () => {
    const steps = blocks('README.md', 'yaml').flatMap((code) => parse(code).jobs?.energy.steps ?? []);
    const { with: given } = steps.find(({ uses }: { uses: string }) => uses.includes('/joulediff@'));
    const revisions = { base: 'main...feature', head: 'feature' };
    expect(() => readInputs((name) => String(given[name] ?? ''), '/workspace', revisions)).not.toThrow();
  });

  it('show keys of the experiment file that are there', () => {
    const shown = blocks('docs/experiment-file.md', 'yaml').map((code) => parse(code));
    expect(shown.length).toBeGreaterThan(3);
    for (const keys of shown) {
      const rest = {
        workload: { run: 'true' },
        ...('factors' in keys ? {} : { variants: { native: {}, container: { image: 'x' } } }),
      };
      expect(() => experimentFrom({ ...rest, ...keys }, { where: 'docs', directory: '/' })).not.toThrow();
    }
  });
});
