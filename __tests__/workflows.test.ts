// Class: world.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { REPOSITORY } from '../src/version.ts';

// The workflows of this project, and the examples for others: by two linters where they are installed.

const files = ['.github/workflows', 'examples/workflows'].flatMap((folder) =>
  readdirSync(folder).map((name) => `${folder}/${name}`),
);

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** A linter that is not installed is named in what was skipped, with how it is installed. */
function lint(program: string, install: string, words: readonly string[]): void {
  if (!isThere(program)) {
    it.skip(`${program} is not there: ${install}`, () => undefined);
    return;
  }
  it(`hold for ${program}`, () => {
    const { status, stdout, stderr } = spawnSync(program, [...words, ...files], { encoding: 'utf8' });
    expect({ status, reported: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, reported: '' });
  });
}

const pages = ['README.md', 'SECURITY.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);

describe('the workflows', () => {
  lint('actionlint', 'go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12', [
    '-config-file',
    '.github/actionlint.yaml',
  ]);
  lint('zizmor', 'pipx install zizmor==1.32.0', [
    ...['--offline', '--no-progress', '--config', '.github/zizmor.yml'],
    '.github/dependabot.yml',
  ]);

  it('show others’ actions in one way everywhere, comments too: at a commit, with its version beside it', () => {
    const given = [...files, ...pages, 'src/parts/bench/init/texts.ts'].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/- uses: ((?!\.\/|\$\{|%s)\S+@.*)$/gm)]
        .map(([, uses = '']) => uses)
        .filter((uses) => !uses.startsWith(`${REPOSITORY}@`)),
    );
    expect(given.length).toBeGreaterThan(8);
    for (const uses of given) expect(uses).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const actions = given.map((uses) => uses.split('@')[0]);
    expect(new Set(given).size).toBe(new Set(actions).size);
  });

  it.each(files)('%s: runs others’ actions at a commit only, and leaves no token in a checkout', (file) => {
    const { jobs } = parse(readFileSync(file, 'utf8')) as {
      jobs: Record<string, { steps?: { uses?: string; with?: Record<string, unknown> }[] }>;
    };
    const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);
    for (const { uses, with: inputs } of steps.filter((step) => step.uses !== undefined)) {
      if (!uses?.startsWith(`${REPOSITORY}@`)) expect(uses).toMatch(/^[\w./-]+@[0-9a-f]{40}$/);
      if (uses?.startsWith('actions/checkout@')) expect(inputs).toMatchObject({ 'persist-credentials': false });
    }
  });
});

it('action.yml is what the Marketplace takes, and tells what each input and output is', () => {
  const action = parse(readFileSync('action.yml', 'utf8')) as {
    name: string;
    author: string;
    description: string;
    branding: { icon: string; color: string };
    inputs: Record<string, { description?: string }>;
    outputs: Record<string, { description?: string }>;
    runs: { using: string };
  };
  const { name, author, description, branding, inputs, outputs, runs } = action;
  expect({ name, author, branding, runs }).toMatchObject({
    name: 'joulediff',
    author: expect.stringMatching(/\w/),
    branding: { icon: 'zap', color: 'green' },
    runs: { using: 'node24' },
  });
  // It refuses longer ones.
  expect(description.length).toBeLessThan(125);
  const undescribed = Object.entries({ ...inputs, ...outputs }).filter(([, one]) => !one.description);
  expect(undescribed).toEqual([]);
  // The page for people has them all.
  const page = readFileSync('docs/reference/action.md', 'utf8');
  expect([...Object.keys(inputs), ...Object.keys(outputs)].filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
});
