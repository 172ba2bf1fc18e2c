// Class: unit.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { readInputs } from '../src/action/inputs.ts';
import { main } from '../src/cli.ts';
import { Description } from '../src/meters/described/description.ts';
import { validateMeterNames } from '../src/meters/registry.ts';
import { TestRepository } from './measure/checkout/repository-folder.ts';

// The pages for people: what they link to is there, and what they show is taken.

const PAGES = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const text = (page: string): string => readFileSync(page, 'utf8');
/** What the action declares. */
const ACTION = parse(text('action.yml')) as { inputs: Record<string, unknown> };
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

async function said(words: string[]): Promise<{ code: number; reported: string }> {
  let reported = '';
  const stream = { write: (part: string) => (reported += part) };
  return { code: await main(words, { stdout: stream, stderr: stream }), reported };
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
    const tried = new Set(['sh', 'yaml', 'text']);
    const others = PAGES.flatMap((page) =>
      [...text(page).matchAll(FENCE)].flatMap(([, language = '']) =>
        tried.has(language) ? [] : [`${page}: ${language}`],
      ),
    );
    expect([...new Set(others)].sort()).toEqual([
      'docs/architecture.md: ', // drawings
      'docs/compare-images.md: json', // a file of the engine's
      'docs/meters.md: python', // meters/perf/perf.test.ts
      'docs/meters.md: sql', // sampling/told.test.ts
      'docs/other-tools.md: csv', // below
      'docs/other-tools.md: python', // parts/fleet/commands/export.test.ts
      'docs/other-tools.md: r', // there
      'docs/other-tools.md: sql', // there
      'docs/own-meter.md: python', // meters/command/command.test.ts
      'docs/papers.md: json', // output
      'docs/papers.md: latex', // output, and a line for a paper
      'docs/phases-and-profilers.md: js', // a line for a server
    ]);
  });

  it('say of each YAML block in docs/ which file it is', () => {
    const unnamed = PAGES.filter((page) => page.startsWith('docs/')).flatMap((page) =>
      blocks(page, 'yaml').filter(
        (code) => !/^# (joulediff\.yml|compose\.yml|my-meter\.yml|\.github\/workflows\/\S+\.yml)$/m.test(code),
      ),
    );
    expect(unnamed).toEqual([]);
  });

  it('show descriptions of meters that are some', () => {
    const shown = blocks('docs/meters.md', 'yaml').filter((code) => code.startsWith('# my-meter.yml'));
    expect(shown.map((code) => Description.safeParse(parse(code)).error?.message)).toEqual([undefined]);
  });

  it('show comparisons in one line that joulediff takes', async () => {
    const compared = lines.filter((line) => line.startsWith('joulediff compare'));
    expect(compared.length).toBeGreaterThan(3);
    for (const line of compared) {
      // Everything is read before the seed is refused, and nothing is started.
      const { code, reported } = await said([...wordsOf(line), '--seed', 'x']);
      expect({ line, code, reported }).toMatchObject({ code: 2, reported: expect.stringMatching(/^--seed: /) });
    }
  });

  it('show commands, options and meters that are there', async () => {
    const others = lines.filter((line) => /(^|\s)joulediff /.test(line) && !line.includes('joulediff compare'));
    expect(others.length).toBeGreaterThan(6);
    for (const line of others) {
      const words = wordsOf(line.replace(/^.*?(?=joulediff )/, ''));
      const name = words.slice(0, ['meter', 'history'].includes(words[0] ?? '') ? 2 : 1);
      const { code, reported } = await said([...name, '--help']);
      expect({ line, code }).toEqual({ line, code: 0 });
      const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
      for (const option of own.filter((word) => word.startsWith('--'))) expect(reported).toContain(`  ${option} `);
      const meter = name[0] === 'meter' ? words[2] : words[words.indexOf('--meter') + 1 || words.length];
      if (meter !== undefined && !['emulate', 'learn'].includes(name[1] ?? '')) {
        expect(() => validateMeterNames([meter])).not.toThrow();
      }
    }
  });

  it('show workflows whose inputs the action takes', () => {
    const steps = PAGES.flatMap((page) => blocks(page, 'yaml'))
      .flatMap(
        (code) =>
          Object.values(parse(code)?.jobs ?? {}) as { steps: { uses?: string; with: Record<string, unknown> }[] }[],
      )
      .flatMap((job) => job.steps.filter(({ uses }) => uses?.includes('/joulediff@')));
    expect(steps.length).toBeGreaterThan(4);
    const revisions = { base: 'main...feature', head: 'feature' };
    for (const { with: given } of steps) {
      expect(Object.keys(given).filter((name) => !(name in ACTION.inputs))).toEqual([]);
      if (given.mode === 'gather') continue;
      expect(() => readInputs((name) => String(given[name] ?? ''), '/workspace', revisions)).not.toThrow();
    }
  });

  it('show experiment files that are planned', async () => {
    const repository = TestRepository.create();
    repository.commit();
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repository.git('tag', 'v1.0');
    // Two revisions of one commit are refused.
    repository.commit();
    const shown = PAGES.flatMap((page) => blocks(page, 'yaml')).filter((code) => code.startsWith('# joulediff.yml\n'));
    expect(shown.length).toBeGreaterThan(40);
    for (const code of shown) {
      const keys = parse(code);
      const rest = {
        ...('suite' in keys ? {} : { workload: { run: 'true' } }),
        ...('matrix' in keys ? {} : { variants: { native: {}, container: { image: 'x' } } }),
      };
      const file = join(repository.path, 'joulediff.yml');
      writeFileSync(file, stringify({ ...rest, ...keys }));
      expect({ block: code, ...(await said(['plan', file, '--offline'])) }).toMatchObject({
        code: 0,
        reported: expect.stringMatching(/^\S+: .*\bruns in randomized blocks/),
      });
    }
    repository.remove();
  });

  it('have references that the source makes: npm run schemas', () => {
    const made = execFileSync(process.execPath, ['.esbuild/reference.mjs'], { encoding: 'utf8', maxBuffer: 2 ** 24 });
    for (const [name, page] of Object.entries(JSON.parse(made))) expect(text(`docs/reference/${name}.md`)).toBe(page);
  });

  it('show runs from elsewhere that are analyzed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'joulediff-documents-'));
    const [csv = ''] = blocks('docs/other-tools.md', 'csv');
    writeFileSync(join(folder, 'runs.csv'), csv);
    expect(await said(['analyze', join(folder, 'runs.csv')])).toMatchObject({
      code: 0,
      reported: expect.stringContaining('container'),
    });
    rmSync(folder, { recursive: true });
  });
});
