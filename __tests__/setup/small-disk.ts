import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from '@jest/globals';

const sh = (...words: [string, ...string[]]) => spawnSync(words[0], words.slice(1), { encoding: 'utf8' });

/** A small file system of its own. Only root may mount one, and not in every container. */
export class SmallDisk implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'joulediff-disk-'));

  constructor(megabytes: number) {
    const done = sh('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', this.path);
    if (done.status !== 0) throw new Error(done.stderr);
  }

  /** Takes all the room but this. */
  fill(kilobytes = 0): void {
    const path = join(this.path, 'fill');
    sh('dd', 'if=/dev/zero', `of=${path}`, 'bs=4k');
    truncateSync(path, statSync(path).size - 1024 * kilobytes);
  }

  free(): void {
    rmSync(join(this.path, 'fill'));
  }

  /** As a network's file system does: what is open there stays open, and nothing is found any more. */
  vanish(): void {
    sh('umount', '-l', this.path);
  }

  [Symbol.dispose](): void {
    this.vanish();
    rmSync(this.path, { recursive: true, force: true });
  }
}

function canMount(): boolean {
  try {
    using disk = new SmallDisk(1);
    writeFileSync(join(disk.path, 'probe'), '');
    return true;
  } catch {
    return false;
  }
}

const MOUNTS = canMount();

/** A test that mounts something; where that is not allowed it is skipped, and its name says why. */
export function itMounting(name: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (MOUNTS) it(name, run, timeoutMs);
  else it.skip(`${name} (no file system can be mounted here)`, run, timeoutMs);
}
