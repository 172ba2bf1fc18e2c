// Class: unit.
import { expect, it } from '@jest/globals';
import { fairness } from '../../src/analysis/fairness.ts';
import { parseSurroundings } from '../../src/measure/surroundings/parse.ts';
import { MARK } from '../../src/measure/surroundings/script.ts';
import type { VariantRecord } from '../../src/store/records.ts';

/** A variant in a place that tells these parts. */
function seen(name: string, parts: Readonly<Record<string, string>>, options: object = {}): VariantRecord {
  const output = Object.entries({ ...parts, end: '' }).map(([part, lines]) => `${MARK}${part}\n${lines}`);
  const { programs, ...surroundings } = parseSurroundings(output.join('\n'))!;
  return {
    name,
    position: 1,
    kind: 'container',
    definition: { kind: 'container', name, workload: { run: ['work'], env: {} }, ...options } as never,
    facts: {},
    revision: null,
    hidden: false,
    surroundings: { ...surroundings, fileSystems: {}, network: null },
    unseen: null,
    version: null,
  };
}

const differences = (a: VariantRecord, b: VariantRecord) =>
  fairness([a, b], [{ baseline: a.name, variant: b.name }], 2 ** 34)?.pairs[0]?.differences;

/** Of `nice` and `Uid`: as the kernel tells them. */
const stat = (nice: number) => `1 (sh) S ${'0 '.repeat(15)}${nice} 0`;
const status = (uid: number) => `Uid:\t${uid}\t${uid}\t${uid}\t${uid}`;

it('takes an unknown user or niceness for no difference', () => {
  const known = seen('a', { status: status(0), stat: stat(0) });
  expect(differences(known, seen('b', {}))).toEqual([]);
  expect(differences(known, seen('b', { status: status(1000), stat: stat(5) }))).toMatchObject([
    { aspect: 'nice', baseline: '0', variant: '5' },
    { aspect: 'user', baseline: '0', variant: '1000' },
  ]);
});

it('takes the folders of checkouts, which joulediff chose, for no difference', () => {
  const at = (name: string, workdir: string) => seen(name, { workdir });
  const old = at('a', '/var/tmp/joulediff-checkout-abc/2ab9bf5e/src');
  expect(differences(old, at('b', '/var/tmp/joulediff-checkout-abc/9f4d1742/src'))).toEqual([]);
  expect(differences(old, at('b', '/home/you/repository/src'))).toEqual([]);
  expect(differences(at('a', '/'), at('b', '/home'))).toMatchObject([{ aspect: 'workdir' }]);
});

it('compares no limits of control groups with those of a sandbox, whose kernel does not show them', () => {
  const runtime = (name: string) => ({ runtime: name });
  const groups = 'memory.max 536870912\ncpu.max 50000 100000';
  const limited = seen('a', { kernel: '6.8.0', groups }, runtime('runc'));
  const aspects = (b: VariantRecord) => differences(limited, b)?.map(({ aspect }) => aspect);
  expect(aspects(seen('b', { kernel: '4.4.0' }, runtime('runsc')))).toEqual(['kernel']);
  expect(aspects(seen('b', {}, runtime('runsc')))).toEqual([]);
  expect(aspects(seen('b', { kernel: '6.8.0' }, runtime('crun')))).toEqual(['cpu-limit', 'memory-limit']);
  expect(aspects(seen('b', { kernel: '4.4.0' }, runtime('runc')))).toEqual(['kernel', 'cpu-limit', 'memory-limit']);
});
