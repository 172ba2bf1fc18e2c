// Class: unit.
import { expect, it } from '@jest/globals';
import { type Findings, Findings as schema } from '../../../src/findings/findings.ts';
import type { Fairness, PlaceDifference } from '../../../src/findings/surroundings.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { renderMarkdown } from '../../../src/report/document/markdown.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { fairness } from '../../../src/report/sections/fairness.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { everyAnalysis } from '../fixtures.ts';
import { render, visible } from '../render.ts';
import { explanation } from '../synthetic/observed.ts';

const { measured, inconclusive } = everyAnalysis();

const libc: PlaceDifference = {
  aspect: 'libc',
  of: null,
  baseline: 'glibc 2.36',
  variant: 'musl 1.2.5',
  weight: 'may-matter',
};
const tmp: PlaceDifference = {
  aspect: 'file-system',
  of: 'temporary',
  baseline: 'ext4',
  variant: 'tmpfs',
  weight: 'may-matter',
};
const cpus: PlaceDifference = { aspect: 'cpus', of: null, baseline: '0-3', variant: '0', weight: 'asked' };
const seccomp: PlaceDifference = { aspect: 'seccomp', of: null, baseline: 'off', variant: 'filter', weight: 'usual' };
const variable = (of: string): PlaceDifference => ({
  aspect: 'environment',
  of,
  baseline: 'set',
  variant: null,
  weight: 'usual',
});

function withDifferences(
  { findings }: { readonly findings: Findings },
  differences: readonly PlaceDifference[],
  more: Partial<Fairness> = {},
): Findings {
  const pair = { baseline: 'native', variant: 'container', differences };
  return { ...findings, fairness: { unseen: [], versions: [], pairs: [pair], ...more } };
}

const comment = (findings: Findings): string => visible(render(commentMarkdown(findings)));
const reported = (findings: Findings): string => visible(render(renderMarkdown(fairness(findings)!.blocks)));

it('names beside a change what else may be the reason, and nothing that was asked for or is usual', () => {
  const findings = withDifferences(measured!, [libc, tmp, cpus, seccomp, variable('SHELL')]);
  expect(schema.safeParse(findings).error).toBeUndefined();
  expect(comment(findings)).toContain(
    'The variants also differ in the C library (glibc 2.36, musl 1.2.5) and the file system for temporary files (ext4, tmpfs). This may explain part of the difference.',
  );
  expect(comment(findings)).not.toContain('seccomp');
});

it('says nothing of reasons where nothing changed, or nothing of weight differs', () => {
  expect(comment(withDifferences(inconclusive!, [libc]))).not.toContain('may explain part');
  expect(comment(withDifferences(measured!, [cpus, seccomp]))).not.toContain('may explain part');
});

it('names the service that differs, and a container without a network', () => {
  const network: PlaceDifference = {
    aspect: 'network',
    of: null,
    baseline: 'host',
    variant: 'none',
    weight: 'asked',
  };
  const allocator: PlaceDifference = {
    aspect: 'allocator',
    of: null,
    service: 'db',
    weight: 'may-matter',
    baseline: 'that of the C library',
    variant: 'jemalloc',
  };
  const gone: PlaceDifference = {
    aspect: 'service',
    of: 'cache',
    baseline: 'there',
    variant: null,
    weight: 'may-matter',
  };
  const findings = withDifferences(measured!, [network, allocator, gone]);
  expect(schema.safeParse(findings).error).toBeUndefined();
  expect(reported(findings)).toMatch(/The network path\s+host\s+none/);
  expect(reported(findings)).toMatch(/The allocator of the service db\s+that of the C library\s+jemalloc/);
  expect(reported(findings)).toMatch(/The service cache\s+there\s+not there/);
});

it('names no more than fit in a line', () => {
  const many = ['A', 'B', 'C', 'D', 'E', 'F'].map((of): PlaceDifference => ({ ...variable(of), weight: 'may-matter' }));
  expect(comment(withDifferences(measured!, many))).toContain('the variable D and 2 more. This may');
});

it('lists all of them by weight, the many variables of a shell in a line', () => {
  const text = reported(withDifferences(measured!, [seccomp, cpus, libc, variable('SHELL'), variable('LS_COLORS')]));
  const order = ['The C library', 'The processors', 'The seccomp mode', 'SHELL', 'LS_COLORS'].map((of) =>
    text.indexOf(of),
  );
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).not.toContain(-1);
});

it('folds packages away, and stands beside what a difference goes with, in the terminal too', () => {
  const zlib: PlaceDifference = {
    aspect: 'package',
    of: 'zlib1g',
    baseline: '1.2.13',
    variant: '1.3.1',
    weight: 'usual',
  };
  const findings = withDifferences(measured!, [libc, zlib]);
  expect(reported(findings)).toContain('1 package of other versions');
  const terminal = (of: Findings): string => terminalReport({ findings: of }, { width: 100, color: false });
  expect(terminal(findings)).not.toContain('What else differs');
  const explained: Findings = { ...findings, explanation: explanation('native', 'container') };
  expect(terminal(explained)).toMatch(
    /What else differs between container and native:\s[\s\S]*The C library +glibc 2\.36 +musl 1\.2\.5/,
  );
  const { fairness: places } = withDifferences(measured!, [], {
    unseen: [{ variant: 'container', reason: 'no-shell' }],
  });
  const blind = terminal({ ...explained, ...(places && { fairness: places }) });
  expect(blind).not.toContain('What else differs');
  expect(blind.replace(/\s+/g, ' ')).toContain('has inside couldn’t be compared: its image has no shell');
  // Which of the values is whose, where both are lists.
  const values = { baseline: 'glibc, linked statically', variant: 'musl, linked statically' };
  const narrow = terminalReport(
    {
      findings: {
        ...withDifferences(measured!, [{ ...libc, ...values }]),
        explanation: explanation('native', 'container'),
      },
    },
    { width: 50, color: false },
  );
  expect(narrow.replace(/\s+/g, ' ')).toContain(
    'The C library: Baseline: glibc, linked statically · Variant: musl, linked statically',
  );
  const page = reportHtml({ ...measured!, findings: explained });
  expect(page.indexOf('id="fairness"')).toBeGreaterThan(page.indexOf('id="explanation"'));
  expect(page.indexOf('id="fairness"')).toBeLessThan(page.indexOf('id="conditions"'));
});

it('tells what could not be seen instead of saying that nothing differs', () => {
  expect(reported(withDifferences(measured!, []))).toContain('nothing else differs');
  const blind = reported(withDifferences(measured!, [], { unseen: [{ variant: 'container', reason: 'no-shell' }] }));
  expect(blind).toContain('container has inside couldn’t be compared: its image has no shell');
  expect(blind).not.toContain('nothing else differs');
  const versions = [{ variant: 'native', output: 'redis 7.0.15\nbuilt …', exitCode: 0 }];
  expect(reported(withDifferences(measured!, [], { versions }))).toContain('native: redis 7.0.15');
});
