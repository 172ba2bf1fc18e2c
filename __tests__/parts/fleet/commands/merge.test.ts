// Class: system.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { main } from '../../../../src/cli.ts';
import { findingsJson } from '../../../../src/report/findings-json.ts';
import { resultOf } from '../../../report/machines.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
const HOSTS = { shelf: 2, rack: 3.2, 'old-one': 4.1, arm: -0.2, cellar: 2.6 };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-merge-'));
  for (const [host, percent] of Object.entries(HOSTS)) {
    mkdirSync(at(host));
    writeFileSync(join(at(host), 'findings.json'), findingsJson(resultOf(host, percent).findings));
  }
  writeFileSync(at('model.json'), findingsJson(resultOf('model', 2, { source: 'modelled' }).findings));
  writeFileSync(at('runs.csv'), 'variant,energy_j\na,1\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...words: string[]) {
  let stdout = '';
  let stderr = '';
  const streams = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
  };
  return { code: await main(['merge', ...words], streams), stdout, stderr };
}

const all = (): string[] => Object.keys(HOSTS).map(at);

describe('joulediff merge', () => {
  it('tells what five machines say together, and of a sixth', async () => {
    const { code, stdout, stderr } = await run(...all());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).toMatch(/^container against native on 5 machines/);
    expect(words).toContain(
      'On 4 of 5 machines container used more energy than native; on 1 it stays within the margin.',
    );
    expect(words).toMatch(/Together: \+2\.\d+ % \(95 % CI \+?[−\d.]+ to \+[\d.]+\)\./);
    expect(words).toMatch(/On a machine not yet tried, expect −[\d.]+ to \+[\d.]+ % \(95 % prediction interval\)\./);
    expect(words).toContain('The machines differ by more than their own errors');
    // A line of the forest for each machine, for all, and for the next one.
    expect(stdout.match(/●/g)).toHaveLength(7);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('prints the numbers for programs', async () => {
    const { stdout } = await run(...all(), '--json');
    const { machines, pooled } = JSON.parse(stdout);
    expect(machines.map(({ name }: { name: string }) => name)).toEqual(Object.keys(HOSTS));
    expect(pooled).toMatchObject({ method: 'reml-hartung-knapp' });
    expect(pooled.ci95[0]).toBeLessThan(pooled.percent);
  });

  it('prints Markdown with names as they are', async () => {
    const { stdout } = await run(...all(), '--markdown');
    expect(stdout).toMatch(/^### `container` against `native` on 5 machines/m);
    expect(stdout).toContain('| `shelf` | ');
  });

  it('says that two machines do not generalize', async () => {
    const { stdout } = await run(at('shelf'), at('rack'));
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Two machines are too few to generalize from: nothing can be said about a third.',
    );
    expect(stdout).not.toContain('not yet tried');
  });

  it('says of results that they are no machines', async () => {
    const { stdout } = await run(...all(), '--by', 'result');
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).toContain('container against native in 5 results');
    expect(words).toContain('In 4 of 5 results container used more energy');
    expect(words).toContain('they say nothing about a machine not yet tried.');
    expect(words).not.toContain('One not yet tried');
  });

  it.each([
    [() => [at('shelf')], 'There is no comparison that two machines have in common.'],
    [() => [at('shelf'), join(at('shelf'), 'findings.json')], 'are the same experiment, which counts once.'],
    [() => [at('shelf'), at('model.json')], 'These results are of different kinds, which are never pooled'],
    [() => [at('shelf'), at('nowhere')], 'There is no file'],
    [() => [at('shelf'), at('runs.csv')], 'is neither an experiment.db nor a findings.json.'],
    [() => [...all(), '--by', 'host'], '--by host is neither machine nor result.'],
    [
      () => [...all(), '--variant', 'alpine'],
      'No comparison of these machines has the variant "alpine".\nThere is: container against native.',
    ],
  ])('refuses %s', async (words, reported) => {
    const { code, stdout, stderr } = await run(...words());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(reported);
  });
});
