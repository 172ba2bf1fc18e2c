// Class: system.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { perfWaits } from '../../../../../src/parts/explain/observers/perf-waits/perf-waits.ts';
import { makeObservedGroup, removeObservedGroup } from '../../../../../src/processes/observed-group.ts';
import { nowNs } from '../../../../../src/system/clock.ts';
import { canLook } from '../can-look.ts';

/**
 * A program of 32 bits that opens /no/such/file a thousand times by call 5, which is fstat in a program of 64 (as --32, ld -m elf_i386 -s -N):
 * mov $1000, %esi; 1: mov $5, %eax; mov $path, %ebx; xor %ecx, %ecx; xor %edx, %edx; int $0x80; dec %esi; jnz 1b; mov $1, %eax; xor %ebx, %ebx; int $0x80
 */
const PROGRAM =
  'f0VMRgEBAQAAAAAAAAAAAAIAAwABAAAAVIAECDQAAACUAAAAAAAAADQAIAABACgAAwACAAEAAABUAAAAVIAECFSABAgvAAAALwAAAAcAAAABAAAAvugDAAC4BQAAALt1gAQIMckx0s2ATnXtuAEAAAAx282AL25vL3N1Y2gvZmlsZQAALnNoc3RydGFiAC50ZXh0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAALAAAAAQAAAAcAAABUgAQIVAAAAC8AAAAAAAAAAAAAAAEAAAAAAAAAAQAAAAMAAAAAAAAAAAAAAIMAAAARAAAAAAAAAAAAAAABAAAAAAAAAA==';

let folder: string;
let program: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-waits-'));
  program = join(folder, 'program');
  writeFileSync(program, Buffer.from(PROGRAM, 'base64'), { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true }));

it('failed calls of a program with 32 bits have the names of its own calls', async () => {
  // Not every kernel starts such programs.
  if (process.arch !== 'x64' || !canLook() || spawnSync(program).status !== 0) return;
  const group = makeObservedGroup(`joulediff_waits_test_${process.pid}`);
  expect(group).not.toBeNull();
  try {
    const target = { group, folder, filesOf: null, signal: new AbortController().signal };
    const observation = await perfWaits.start(target);
    const startNs = nowNs();
    const child = spawn('sh', ['-c', `read go; exec ${program}`], { stdio: ['pipe', 'ignore', 'ignore'] });
    writeFileSync(join(group!.host.folder, 'cgroup.procs'), String(child.pid));
    child.stdin?.end('go\n');
    await once(child, 'exit');
    const { counts } = await observation.end({ startNs, endNs: nowNs() });
    const failed = counts.filter(({ kind, name }) => kind === 'error' && /^(?:open|fstat|newfstat) /.test(name));
    expect(new Set(failed.map(({ name }) => name))).toEqual(new Set(['open ENOENT']));
    expect(failed.reduce((sum, { value }) => sum + value, 0)).toBe(1000);
  } finally {
    removeObservedGroup(group!.name);
  }
});
