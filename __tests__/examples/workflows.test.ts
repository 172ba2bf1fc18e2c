// Class: unit.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readInputs, readMode } from '../../src/action/inputs.ts';
import { readGatherInputs } from '../../src/parts/fleet/action/gather-inputs.ts';

interface Workflow {
  readonly on: string | Record<string, unknown>;
  readonly permissions: Record<string, string>;
  readonly jobs: Record<string, { permissions?: Record<string, string>; steps: { uses?: string; with?: object }[] }>;
}

const names = readdirSync('examples/workflows').sort();
const read = (name: string): Workflow => parse(readFileSync(`examples/workflows/${name}`, 'utf8'));

/** The jobs with their permissions, what they use, and the inputs that they give the action. */
const jobs = names.flatMap((name) => {
  const { on, jobs: all, permissions } = read(name);
  return Object.entries(all).map(([id, each]) => {
    const step = each.steps.find(({ uses }) => uses?.includes('/joulediff@'));
    return {
      id: `${name}: ${id}`,
      event: typeof on === 'string' ? on : Object.keys(on)[0],
      permissions: each.permissions ?? permissions,
      uses: each.steps.map(({ uses }) => uses ?? ''),
      given: (step?.with ?? {}) as Record<string, unknown>,
    };
  });
});

describe('examples/workflows', () => {
  it('are those that are tested', () => {
    expect(names).toEqual([
      'dockerfile.yml',
      'fork-measure.yml',
      'fork-publish.yml',
      'history.yml',
      'machines.yml',
      'matrix.yml',
      'native-and-container.yml',
      'pull-request.yml',
      'rebuilt.yml',
      'suite.yml',
    ]);
  });

  it.each(jobs)('$id gives the action inputs that it takes', ({ given }) => {
    const get = (name: string) => String(given[name] ?? '');
    const declared = Object.keys(parse(readFileSync('action.yml', 'utf8')).inputs);
    expect(declared).toEqual(expect.arrayContaining(Object.keys(given)));
    const mode = readMode(get, ['publish', 'gather']);
    expect(() =>
      mode === 'measure'
        ? readInputs(get, '/workspace', { base: 'main...feature', head: 'feature' })
        : readGatherInputs(get, mode as 'publish' | 'gather'),
    ).not.toThrow();
  });

  it('leave no credentials of the checkout to the measured code, nor do the other workflows that we show', () => {
    const others = ['README.md', 'src/parts/bench/init/texts.ts', ...readdirSync('docs').map((name) => `docs/${name}`)];
    const files = [...others, ...names.map((name) => `examples/workflows/${name}`)].filter((name) =>
      /\.\w+$/.test(name),
    );
    const checkouts = files.flatMap((file) => {
      const steps = readFileSync(file, 'utf8').split(/\n\s*- (?=uses:|name:|run:)/);
      return steps.filter((step) => step.startsWith('uses: actions/checkout@')).map((step) => ({ file, step }));
    });
    expect(checkouts.length).toBeGreaterThan(6);
    expect(checkouts.filter(({ step }) => !/persist-credentials: false/.test(step))).toEqual([]);
  });

  it.each(jobs)('$id has no right that it does not need', ({ given, permissions }) => {
    const mode = given.mode ?? 'measure';
    if (mode !== 'measure') expect(permissions).toEqual({ actions: 'read', 'pull-requests': 'write' });
    // A branch of the repository is where it keeps the findings.
    else if (given.history !== undefined) expect(permissions).toEqual({ contents: 'write' });
    else if (given.comment === 'never') expect(permissions).toEqual({ contents: 'read' });
    else expect(permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
  });

  it.each(jobs)('$id checks out nothing where it has the rights of the repository', ({ event, uses, given }) => {
    expect(event).not.toBe('pull_request_target');
    if (event === 'workflow_run' || given.mode !== undefined) {
      expect(uses.filter((action) => !action.includes('/joulediff@'))).toEqual([]);
    }
  });
});
