// Class: unit.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { readInputs } from '../src/action/inputs.ts';
import { main } from '../src/cli.ts';
import { validateMeterNames } from '../src/meters/registry.ts';
import { TestRepository } from './measure/checkout/repository-folder.ts';

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

/** The lines of all blocks for a shell, each with those that continue it. */
const lines = PAGES.flatMap((page) => blocks(page, 'sh')).flatMap((code) =>
  code.replaceAll(/\\\n\s*/g, '').split('\n'),
);

/** A line's words after its first, as a shell would split them, without its comment. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ +#.*$/, '').matchAll(/"[^"]*"|'([^']*)'|(\S+)/g)]
    .map(([whole, quoted, plain]) => quoted ?? plain ?? whole)
    .slice(1);

async function said(words: string[]): Promise<{ code: number; told: string }> {
  let told = '';
  const stream = { write: (part: string) => (told += part) };
  return { code: await main(words, { stdout: stream, stderr: stream }), told };
}

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

  it('hold blocks of code that are tried, here or by a test of their own', () => {
    const shown = PAGES.flatMap((page) =>
      [...text(page).matchAll(FENCE)].map(([, language]) => `${page}: ${language}`),
    );
    expect([...new Set(shown)].sort()).toEqual([
      'README.md: sh', // below, and all of it in e2e/readme.test.ts
      'README.md: yaml', // below, and in a workflow runner in e2e/base.test.ts
      'docs/architecture.md: ', // drawings
      'docs/development.md: sh', // release.test.ts
      'docs/experiment-file.md: yaml', // below
      'docs/export.md: python', // terminal/commands/export.test.ts
      'docs/export.md: r', // there
      'docs/export.md: sh', // below
      'docs/export.md: sql', // terminal/commands/export.test.ts
      'docs/history.md: sh', // below
      'docs/history.md: yaml', // below
      'docs/meter-protocol.md: python', // meters/command/command.test.ts
      'docs/meter-protocol.md: sh', // there, and below
      'docs/meters.md: sh', // below
      'docs/meters.md: sql', // sampling/told.test.ts
      'docs/methodology.md: csv', // below
      'docs/runner.md: sh', // below, and runner-setup/install.test.ts
      'docs/scale.md: yaml', // below
    ]);
  });

  it('show comparisons in one line that joulediff takes', async () => {
    const compared = lines.filter((line) => line.startsWith('joulediff compare'));
    expect(compared.length).toBeGreaterThan(3);
    for (const line of compared) {
      // Everything is read before the number of runs is refused, and nothing is started.
      const { code, told } = await said([...wordsOf(line), '--runs', '0']);
      expect({ line, code, told }).toMatchObject({ code: 2, told: expect.stringMatching(/^--runs: 0 was given/) });
    }
  });

  it('show commands, options and meters that are there', async () => {
    const others = lines.filter((line) => /(^|\s)joulediff /.test(line) && !line.includes('joulediff compare'));
    expect(others.length).toBeGreaterThan(6);
    for (const line of others) {
      const words = wordsOf(line.replace(/^.*?(?=joulediff )/, ''));
      const name = words.slice(0, ['meter', 'history'].includes(words[0] ?? '') ? 2 : 1);
      const { code, told } = await said([...name, '--help']);
      expect({ line, code }).toEqual({ line, code: 0 });
      for (const option of words.filter((word) => word.startsWith('--'))) expect(told).toContain(`  ${option} `);
      const meter = name[0] === 'meter' ? words[2] : words[words.indexOf('--meter') + 1 || words.length];
      if (meter !== undefined) expect(() => validateMeterNames([meter])).not.toThrow();
    }
  });

  it('show a workflow whose inputs the action takes', () => {
    const steps = blocks('README.md', 'yaml').flatMap((code) => parse(code).jobs?.energy.steps ?? []);
    const { with: given } = steps.find(({ uses }: { uses: string }) => uses.includes('/joulediff@'));
    const revisions = { base: 'main...feature', head: 'feature' };
    expect(() => readInputs((name) => String(given[name] ?? ''), '/workspace', revisions)).not.toThrow();
  });

  it('show experiment files that are planned', async () => {
    const repository = TestRepository.create();
    repository.commit();
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    // Two revisions of one commit are refused.
    repository.commit();
    const shown = ['docs/experiment-file.md', 'docs/history.md', 'docs/scale.md'].flatMap((page) =>
      blocks(page, 'yaml'),
    );
    expect(shown.length).toBeGreaterThan(6);
    for (const code of shown) {
      const keys = parse(code);
      const rest = {
        workload: { run: 'true' },
        ...('matrix' in keys ? {} : { variants: { native: {}, container: { image: 'x' } } }),
      };
      const file = join(repository.path, 'joulediff.yml');
      writeFileSync(file, stringify({ ...rest, ...keys }));
      expect({ block: code, ...(await said(['plan', file, '--offline'])) }).toMatchObject({
        code: 0,
        told: expect.stringMatching(/^\S+: \d+ runs in randomized blocks/),
      });
    }
    repository.remove();
  });

  it('show runs from elsewhere that are analyzed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'joulediff-documents-'));
    const [csv = ''] = blocks('docs/methodology.md', 'csv');
    writeFileSync(join(folder, 'runs.csv'), csv);
    expect(await said(['analyze', join(folder, 'runs.csv')])).toMatchObject({
      code: 0,
      told: expect.stringContaining('container'),
    });
    rmSync(folder, { recursive: true });
  });
});
