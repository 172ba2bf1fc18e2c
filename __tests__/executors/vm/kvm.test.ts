// Class: world, long.
import { readdirSync } from 'node:fs';
import { delimiter } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bootSomethingSmall, proveKvm } from '../../../src/executors/vm/kvm.ts';
import { Bench } from '../bench.ts';
import { GUEST } from './guest-system.ts';

let bench: Bench;
let pathBefore: string | undefined;
beforeEach(() => {
  bench = new Bench();
  pathBefore = process.env.PATH;
});
afterEach(async () => {
  process.env.PATH = pathBefore;
  await bench.close();
});

/** Instead of QEMU: here, its KVM may work or not, and not hang when it is asked to. */
async function instead(script: string): Promise<void> {
  await bench.file('qemu-system-x86_64', `#!/bin/sh\n${script}\n`, 0o755);
  process.env.PATH = `${bench.folder}${delimiter}${pathBefore}`;
}

describe('something small', () => {
  (GUEST === '' ? it.skip : it)('comes up in a real QEMU, from real mode to 64-bit code (needs QEMU)', async () => {
    const before = readdirSync('/tmp');
    expect(await bootSomethingSmall('tcg', 'max', 60_000)).toBeNull();
    // A processor that has no 64-bit code does not get there: it is the kernel's way that is tried.
    expect(await bootSomethingSmall('tcg', 'qemu32', 60_000)).toMatch(
      /^qemu-system-x86_64 ended with exit code 0 at once/,
    );
    expect(
      readdirSync('/tmp').filter(
        (name) => name.startsWith('joulediff-') && !before.includes(name) && /^joulediff-\w{6}$/.test(name),
      ),
    ).toEqual([]);
  });

  (GUEST === '' ? it.skip : it)(
    'tells of this machine’s KVM what it is, within a bounded time (needs QEMU)',
    async () => {
      const state = await proveKvm();
      expect(['works', 'absent', 'forbidden', 'broken']).toContain(state.kvm);
      if (state.kvm === 'broken') expect(state.why).toMatch(/^qemu-system-x86_64 |^a guest that needs/);
    },
  );

  it.each([
    [
      'hangs',
      'trap "" TERM; while :; do sleep 1; done',
      /^a guest that needs a fifth of a second did not come up within 0\.3 s$/,
    ],
    [
      'breaks down',
      'echo "error: failed to set MSR." >&2; kill -ABRT $$',
      /^qemu-system-x86_64 broke down \(SIGABRT\) at once: error: failed to set MSR$/,
    ],
    ['ends as if nothing was wrong', 'exit 0', /^qemu-system-x86_64 ended with exit code 0 at once$/],
  ])('has not come up where QEMU %s', async (_, script, why) => {
    await instead(script);
    expect(await bootSomethingSmall('kvm', 'host', 300)).toMatch(why);
  });
});
