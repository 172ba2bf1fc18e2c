// Class: system.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { BuildSteps } from '../../../src/executors/container/build-steps.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'joulediff-steps-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A group of a step, as the kernel makes it. */
function step(id: string, { pids = 'max', memory = 'max' } = {}, parent = 'docker/buildkit'): void {
  mkdirSync(join(root, parent, id), { recursive: true });
  writeFileSync(join(root, parent, id, 'pids.max'), `${pids}\n`);
  writeFileSync(join(root, parent, id, 'memory.max'), `${memory}\n`);
}
const limitsOf = (id: string) =>
  ['pids.max', 'memory.max'].map((file) => readFileSync(join(root, 'docker/buildkit', id, file), 'utf8').trim());

it('gives its limits to new steps alone, and never in the place of one that somebody set', () => {
  step('before');
  using steps = new BuildSteps({ pids: 400, memoryBytes: 4096 }, root);
  step('ours');
  step('limited', { memory: '1024' });
  steps.poll();
  expect(limitsOf('ours')).toEqual(['400', '4096']);
  expect(limitsOf('limited')).toEqual(['400', '1024']);
  expect(limitsOf('before')).toEqual(['max', 'max']);
});

it('knows what version 1 shows where there is no limit', () => {
  using steps = new BuildSteps({ pids: null, memoryBytes: 4096 }, root);
  const group = join(root, 'memory/docker/buildkit/ours');
  mkdirSync(group, { recursive: true });
  writeFileSync(join(group, 'memory.limit_in_bytes'), '9223372036854771712\n');
  steps.poll();
  expect(readFileSync(join(group, 'memory.limit_in_bytes'), 'utf8').trim()).toMatch(/^4096/);
});
