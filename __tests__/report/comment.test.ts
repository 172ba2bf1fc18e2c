// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../src/analysis/results.ts';
import { COMMENT_BUDGET, commentMarkdown } from '../../src/report/comment.ts';
import { findingsJson } from '../../src/report/findings-json.ts';
import { reportHtml } from '../../src/report/html.ts';
import { everyAnalysis, hostileNames } from './fixtures.ts';
import { golden } from './golden.ts';
import { elements, render, visible } from './render.ts';
import { syntheticAnalysis } from './synthetic/analysis.ts';
import { withMany } from './synthetic/many.ts';
import { explanation } from './synthetic/observed.ts';
import { richAnalysis } from './synthetic/rich.ts';

const all = everyAnalysis();
const goldens = [
  'measured',
  'modelled',
  'emulated',
  'partial',
  'inconclusive',
  'equivalent',
  'few',
  'single',
  'bare',
  'lone',
  'crossed',
  'modelledCosts',
  'kept',
  'gates',
];

const variants = Array.from({ length: 40 }, (_, i) => ({ name: `image-${i}`, meanJ: 251 + i, sdJ: 1 + i / 10 }));
const fortyOne = syntheticAnalysis({ variants: [{ name: 'native' }, ...variants], runs: 8, traces: false });

/** `count` comparisons with names as long and as costly to escape as they come. */
function large(count: number, name: (i: number) => string): Analysis {
  return withMany(
    fortyOne,
    Array.from({ length: count }, (_, i) => name(i)),
  );
}

describe('commentMarkdown', () => {
  it.each(goldens)('of %s is the one that was read and found good', (name) => {
    const made = commentMarkdown(all[name]!.findings);
    expect(made).toBe(golden(`comment-${name}.golden.md`, made));
  });

  it.each([
    [{ limit_memory_bytes: null }, '16,384 processes, none on memory'],
    [
      { limit_memory_bytes: 7.5 * 2 ** 30, limit_watched: 'memory' },
      '16,384 processes, 7.5 GiB of memory (memory watched once a second, not held by the kernel)',
    ],
  ])('tells a limit that the kernel does not hold: %j', (limits, words) => {
    const { findings } = syntheticAnalysis();
    const facts = { user: null, cpus: 0.5, limit_processes: 16_384, ...limits };
    const variants = findings.variants.map((variant) => (variant.name === 'native' ? { ...variant, facts } : variant));
    const reported = commentMarkdown({ ...findings, variants });
    expect(reported).toContain(`Limit of native | \`${words}\``);
    expect(reported).toContain('CPUs of native | `0.5`');
    expect(reported).not.toContain('User of native');
  });

  it('says the verdict before everything else, with the change and its interval', () => {
    const lines = commentMarkdown(all.measured!.findings).split('\n');
    expect(lines[0]).toBe(
      '### 🔺 `sort`: `container` used 3.2\u00a0% more energy than `native` (95\u00a0% CI 2.7 to 3.7\u00a0%)',
    );
    const evidence = lines.slice(lines.indexOf('<details><summary>Evidence</summary>'));
    expect(evidence[2]).toMatch(
      /^Exact signed-rank p &lt; 0\.001; more in \d\d of 30 blocks; Cliff’s δ \S+ \(large\)\.$/,
    );
  });

  it.each([
    ['measured', 90],
    ['equivalent', 90],
    ['single', 90],
    ['kept', 110],
    ['inconclusive', 130],
    ['partial', 200],
    ['crossed', 220],
  ])('of %s numbers shows at most %d words before anything is unfolded', (name, most) => {
    const open = commentMarkdown(all[name]!.findings).replaceAll(/<details>[\s\S]*?<\/details>/g, '');
    const words = open.replaceAll(/<[^>]+>|[|*`#>]/g, ' ').match(/[\p{L}\p{N}%][^\s]*/gu) ?? [];
    expect(words.length).toBeLessThanOrEqual(most);
  });

  it.each([
    ['modelled', 'estimated, not measured', 'estimated by a model (estimate), not measured'],
    ['emulated', 'emulated meter', 'come from an emulated meter'],
    ['unknown', 'unknown source', 'is not known to joulediff'],
  ])('of %s numbers says so in its heading, and in a box before the first number', (name, tag, warning) => {
    const text = commentMarkdown(all[name]!.findings);
    expect(text.split('\n')[0]).toContain(tag);
    expect(text.indexOf(warning)).toBeGreaterThan(0);
    expect(text.indexOf(warning)).toBeLessThan(text.search(/\d\sJ \|/));
  });

  it.each([
    ['measured', ''],
    ['modelled', ', estimated by a model, not measured'],
    ['emulated', ', emulated meter, not a measurement'],
    ['unknown', ', source of the numbers unknown'],
  ])('of %s numbers says so in its chart, which may be copied alone', (name, source) => {
    expect(commentMarkdown(all[name]!.findings)).toContain(`title "Mean energy per run (J)${source}"\n`);
  });

  it.each([
    'modelled',
    'emulated',
  ] as const)('of %s numbers has no arrow of a measured change, nor has the page', (source) => {
    const analysis = syntheticAnalysis({ source });
    for (const shown of [commentMarkdown(analysis.findings), reportHtml(analysis)]) {
      expect(shown).toMatch(/↑/);
      expect(shown).not.toMatch(/🔺|🔽|▲|▼|class="increase"|class="decrease"/u);
    }
  });

  it('of measured numbers warns of nothing', () => {
    const [open] = commentMarkdown(all.measured!.findings).split('<details>');
    expect(open).not.toMatch(/\[!|model|estimate|emulat/i);
  });

  it('tells of a partial experiment and of failed checks with their advice', () => {
    const text = commentMarkdown(all.partial!.findings);
    expect(text).toContain('Partial experiment: it was stopped with 11 of 30 randomized blocks');
    expect(text.split('\n')[0]).toContain('partial experiment');
    expect(text).toContain('Other programs kept 3.2 processors busy');
  });

  it('says where few blocks reach less confidence than 95 %', () => {
    expect(commentMarkdown(all.few!.findings)).toMatch(/\(93\.7\s%\sCI\s/);
    expect(commentMarkdown(all.measured!.findings)).not.toContain(', at ');
  });

  it('makes nothing of names: no link, no picture, no element, no marker', () => {
    const text = commentMarkdown(all.hostile!.findings);
    const html = render(text);
    const ours = ['blockquote', 'code', 'details', 'h3', 'input', 'li', 'p', 'pre', 'span', 'strong', 'sub', 'summary'];
    const table = ['table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'];
    expect([...ours, ...table]).toEqual(expect.arrayContaining(elements(html)));
    expect(text).not.toContain('<!--');
    for (const name of ['@octocat', '#123', 'https://evil', ':smile:']) {
      expect(visible(html.replace(/<code[^>]*>.*?<\/code>/gs, ''))).not.toContain(name);
    }
  });

  it('shows each of many hostile names', () => {
    const cells = visible(render(commentMarkdown(all.hostile!.findings)));
    expect(cells).toContain('a¦b`c`');
    expect(cells).toContain('<img src=x onerror=alert(1)>');
    expect(hostileNames.length).toBeGreaterThan(10);
  });

  it.each([
    ['short names', (i: number) => `image-${i}`],
    ['long names', (i: number) => `registry.example.org/team/${'service-'.repeat(12)}${i}`],
    ['costly names', (i: number) => `${'<!😀`|@#$'.repeat(20)}${i}`],
  ])('of 200 comparisons with %s fits, and nothing in it is cut', (_, name) => {
    const text = commentMarkdown(large(200, name).findings);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(COMMENT_BUDGET);
    expect(text.trimEnd().endsWith('</sub>')).toBe(true);
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
    for (const line of text.split('\n')) if (line.startsWith('|')) expect(line.endsWith('|')).toBe(true);
    expect(text).toMatch(/^### .*: of 200 comparisons against `native`, /);
  });

  it('drops detail by steps as the budget shrinks, and says what it dropped', () => {
    const analysis = large(60, (i) => `image-${i}`);
    let last = Number.POSITIVE_INFINITY;
    for (const budget of [56_000, 12_000, 8_000, 4_000, 2_000]) {
      const size = Buffer.byteLength(commentMarkdown(analysis.findings, budget));
      expect(size).toBeLessThanOrEqual(budget);
      expect(size).toBeLessThanOrEqual(last);
      last = size;
    }
    expect(commentMarkdown(analysis.findings, 4_000)).toMatch(/\d+ of 60 comparisons are left out of this table/);
    expect(commentMarkdown(analysis.findings, 2_000)).toContain('of 60 comparisons');
  });

  it('keeps its table before what hundreds of observed variants go with, and its budget', () => {
    const findings = large(300, (i) => `image-${i}`).findings;
    const all = findings.comparisons.map(({ variant }) => explanation('native', variant));
    const observed = {
      ...explanation(),
      lines: all.flatMap(({ lines }) => lines),
      comparisons: all.flatMap(({ comparisons }) => comparisons),
    };
    const rows = (text: string): number => text.match(/^\| `image-/gm)?.length ?? 0;
    const text = commentMarkdown({ ...findings, explanation: observed });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(COMMENT_BUDGET);
    expect(rows(text)).toBeGreaterThan(0);
    expect(text).toMatch(/… and 2\d\d more in the report/);
    expect(Buffer.byteLength(commentMarkdown({ ...findings, explanation: observed }, 2_000))).toBeLessThanOrEqual(
      2_000,
    );
  });

  it('folds what did not change as soon as there are many', () => {
    const variants = Array.from({ length: 20 }, (_, i) => ({
      name: `image-${i}`,
      ...(i < 17 ? { meanJ: 250, sdJ: 9 } : { meanJ: 260 }),
    }));
    const text = commentMarkdown(
      syntheticAnalysis({ variants: [{ name: 'native' }, ...variants], traces: false }).findings,
    );
    const open = text.replace(/<details>[\s\S]*?<\/details>/g, '');
    expect(open.match(/^\| `image-\d+` \| `native` \|/gm)).toHaveLength(3);
    expect(text).toContain('17 more: inconclusive or within the margin');
  });

  it('keeps the channels that the verdict does not rest on folded, and names the one that it rests on', () => {
    const text = commentMarkdown(richAnalysis().findings);
    const open = text.replace(/<details>[\s\S]*?<\/details>/g, '');
    expect(open).not.toMatch(/`package`|`dram`/);
    expect(open).toContain('verdict from the channel `wall`');
    expect(text).toMatch(/<summary>Other channels<\/summary>\n\n\| Channel \| Variant \|[\s\S]*\| `dram` \|/);
  });

  it('explains no difference that is not clear, and folds many reasons', () => {
    for (const name of ['inconclusive', 'equivalent']) {
      expect(commentMarkdown(all[name]!.findings)).not.toMatch(/^Why/m);
    }
    expect(commentMarkdown(all.twelve!.findings)).toContain('<summary>Why</summary>');
  });

  it('needs nothing but findings.json', () => {
    for (const { findings } of Object.values(all)) {
      expect(commentMarkdown(JSON.parse(findingsJson(findings)))).toBe(commentMarkdown(findings));
    }
  });
});
