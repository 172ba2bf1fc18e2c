// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { start } from './program.ts';

const QUICK = '--meter estimate --runs 1 --warmup 0 --set rest=0s --set guard=0s --set batch=1'.split(' ');

it('a program that ends in its middle, because what it waits for never comes, says so and fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-unfinished-'));
  try {
    // The pictures are never drawn then.
    const broken = '--import=data:text/javascript,WebAssembly.instantiate=()=>new/**/Promise(()=>{})';
    const words = ['compare', 'true', 'sleep 0', ...QUICK, '--out', join(folder, 'out')];
    const { code, stderr } = await start(words, { NODE_OPTIONS: broken }, folder).ended;
    expect({ code, stderr }).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('joulediff ended before it was done'),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
