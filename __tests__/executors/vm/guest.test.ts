// Class: system.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Guest } from '../../../src/executors/vm/guest.ts';
import { vm } from './guest-system.ts';

/** In QEMU's place: a guest whose shell and agent answer, and in which no command ends. */
const ANSWERING = `#!/bin/sh
while IFS= read -r line <&4; do
  case $line in
    *"echo @j''d "*) printf '@jd %s\\n' "\${line##*echo @j\\'\\'d }" ;;
    'stty raw'*) echo '@jd ready' ;;
    c | n | +*) echo '@jd A' ;;
  esac >&4
done
`;

let folder: string;
const { PATH: before } = process.env;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-guest-test-'));
  process.env.PATH = `${folder}:${before}`;
});
afterEach(() => {
  process.env.PATH = before;
  rmSync(folder, { recursive: true });
});

it('a guest that answers, and whose boot goes on for too long, is told from one that does not answer', async () => {
  writeFileSync(join(folder, 'qemu-system-x86_64'), ANSWERING, { mode: 0o755 });
  const booting = Guest.boot({
    variant: vm({ kernel: 'vmlinuz', initrd: 'initrd' }, {}, { withinS: 10 }),
    identity: { experimentId: 'guest-test', runId: 1, variant: 'guest' },
    folder,
    drive: join(folder, 'drive'),
    ports: [],
    signal: new AbortController().signal,
  });
  await expect(booting).rejects.toMatchObject({
    message: 'The guest of variant "guest" answered, but had not finished its boot within 10 s.',
    advice: expect.stringContaining('systemd.mask='),
  });
});
