// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Findings } from '../../../src/findings/findings.ts';
import { renderMarkdown } from '../../../src/report/document/markdown.ts';
import { measuredText } from '../../../src/report/words/measured.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

const { findings } = syntheticAnalysis({ traces: false });
type Variant = Findings['variants'][number];

/** What is told of these variants, as Markdown. */
function reported(
  ...given: (Partial<Omit<Variant, 'revision'>> & { revision?: { name: string; commit: string } })[]
): string {
  const [like] = findings.variants as readonly [Variant];
  const { revision: _, ...plain } = like;
  const variants = given.map((variant) => ({ ...plain, facts: {}, ...variant }) as Variant);
  return renderMarkdown([{ kind: 'paragraph', text: measuredText({ ...findings, variants }) }]).trim();
}

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const container = { name: 'container', kind: 'container', facts: { image: 'debian-sort' } };

describe('what was measured', () => {
  it('is one command in the places of its variants', () => {
    const command = './bench.sh';
    expect(reported({ name: 'native', kind: 'native', command }, { ...container, command })).toBe(
      '`./bench.sh`: `native` on the host, `container` in `debian-sort`',
    );
    expect(reported({ name: 'native', kind: 'native', command }, { name: 'stack', kind: 'compose', command })).toBe(
      '`./bench.sh`: `native` on the host, `stack` in Compose',
    );
    const far = { kind: 'native', command, facts: { host: 'sut' } };
    expect(reported({ ...far, name: 'a' }, { ...far, name: 'b' })).toBe('`./bench.sh`: `a` and `b` on `sut`');
  });

  it('names a variant that has the name of its image once', () => {
    const [old, now] = ['app:old', 'app:new'].map((name) => ({ ...container, name, facts: { image: name } }));
    expect(reported({ ...old, command: 'sort x' }, { ...now, command: 'sort x' })).toBe(
      '`sort x`: in `app:old`, in `app:new`',
    );
    expect(reported({ ...old, command: 'sort x' }, { ...now, command: 'sort y' })).toBe(
      '`sort x` in `app:old`, `sort y` in `app:new`',
    );
  });

  it('counts many variants by their places', () => {
    const command = './bench.sh';
    const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, i) => ({
      ...container,
      name,
      command,
      facts: { image: i < 4 ? 'debian' : 'alpine' },
    }));
    expect(reported(...six)).toBe('`./bench.sh`: 4 variants in `debian`, 2 variants in `alpine`');
    expect(reported(...six.map((one) => ({ ...one, facts: { image: one.name } })))).toBe('`./bench.sh`: 6 variants');
    expect(reported(...six.map((one) => ({ ...one, command: one.name })))).toBe('6 commands in 6 variants');
  });

  it('is each variant’s own command where they differ, named once', () => {
    expect(
      reported({ name: 'a', kind: 'native', command: 'a' }, { name: 'b', kind: 'native', command: ['sort', 'x'] }),
    ).toBe('`a` on the host, `b`: `sort x` on the host');
  });

  it('names no words for the own command of a Compose service', () => {
    const stack = { name: 'stack', kind: 'compose', command: [] };
    expect(reported({ name: 'native', kind: 'native', command: './bench.sh' }, stack)).toBe(
      "`native`: `./bench.sh` on the host, `stack`: the service's own command in Compose",
    );
    expect(reported(stack, { ...stack, name: 'slim' })).toBe(
      "the service's own command: `stack` and `slim` in Compose",
    );
  });

  it('names revisions, by their commit alone where nobody gave them a name', () => {
    const command = 'x';
    const at = (name: string) => ({ kind: 'native', command, revision: { name, commit: COMMIT } });
    expect(reported({ name: 'base', ...at(`${COMMIT}...${COMMIT}`) }, { name: 'head', ...at('HEAD') })).toBe(
      '`x`: `base` on the host at `0123456`, `head` on the host at `HEAD (0123456)`',
    );
  });

  it('shortens what is long, and obeys nothing in it', () => {
    const text = reported(
      { ...container, command: `echo ${'x'.repeat(300)}` },
      { ...container, command: '`</td>\n# | **hi**' },
    );
    expect(text.length).toBeLessThan(300);
    // In a code span, where Markdown and HTML mean nothing.
    expect(text).toContain('`` `</td> # ¦ **hi** ``');
    expect(text).not.toContain('\n');
  });

  it('is nothing where no command is known, or that of one of many is not', () => {
    expect(reported({ name: 'a' }, { name: 'b' })).toBe('');
    expect(reported(...Array.from({ length: 5 }, (_, i) => ({ name: `v${i}`, ...(i < 4 && { command: 'x' }) })))).toBe(
      '',
    );
  });
});
