// Class: world.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ObservedGroup } from '../../../../src/contracts/observation.ts';
import type { Observation, ObserverKind, Target } from '../../../../src/parts/explain/observers/observer.ts';
import { observerKinds, tracerKinds } from '../../../../src/parts/explain/observers/registry.ts';
import { nowNs } from '../../../../src/system/clock.ts';

/**
 * A stand-in for whatever program an observer starts. What it does stands in a file beside it: `refuse` as the kernel does; `hang`, deaf to every signal that can
 * be ignored; `look`: say that it is ready, and wait; `stay`: that too, but never end by itself. Asked for what it saw, it gives what nobody can read.
 */
const STAND_IN = `#!/bin/sh
here=\${0%/*}
echo $$ >> "$here/started"
read -r does < "$here/does"
case $1 in script) echo nonsense; exit 1 ;; esac
case $does in
  refuse) exit 255 ;;
  hang) trap '' INT TERM; while :; do /bin/sleep 1000; done ;;
  look) trap 'kill $!; exit 0' INT ;;
  stay) trap '' INT TERM ;;
esac
read -r asked <&3
echo ack >&4
while :; do /bin/sleep 1000 & wait; done
`;

let folder: string;
let path: string | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-observers-'));
  path = process.env.PATH;
  process.env.PATH = folder;
});
afterEach(() => {
  process.env.PATH = path;
  for (const pid of started()) if (isOurs(pid)) process.kill(-pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

function standIn(does: 'refuse' | 'hang' | 'look' | 'stay'): void {
  writeFileSync(join(folder, 'does'), `${does}\n`);
  for (const name of ['perf', 'strace', 'uftrace']) {
    writeFileSync(join(folder, name), STAND_IN);
    chmodSync(join(folder, name), 0o755);
  }
}

const started = (): number[] => {
  const file = join(folder, 'started');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
};

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What has ended may have left its number to another. */
function isOurs(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
  } catch {
    return false;
  }
}

const untilTrue = async (isTrue: () => boolean): Promise<void> => {
  for (const untilMs = performance.now() + 60_000; !isTrue() && performance.now() < untilMs; ) {
    await new Promise(setImmediate);
  }
  expect(isTrue()).toBe(true);
};

/** What is waited for comes about, or doesn't, on a clock that goes as fast as it likes. */
async function onFastClock<T>(begin: () => Promise<T>, programs = 1): Promise<T> {
  const begun = started().length + programs;
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    let isOver = false;
    const waiting = begin().finally(() => {
      isOver = true;
    });
    waiting.catch(() => {});
    // A program that hangs has begun.
    await untilTrue(() => isOver || started().length >= begun);
    await untilTrue(() => {
      if (!isOver) mock.timers.tick(1000);
      return isOver;
    });
    return await waiting;
  } finally {
    mock.timers.reset();
  }
}

const named = (name: string) => ({ name, folder: '/nowhere' });
const GROUP: ObservedGroup = { ...named('g.slice'), host: named('g.slice/host'), inside: named('g.slice/inside') };

const target = (signal = new AbortController().signal): Target => ({ group: GROUP, folder, filesOf: null, signal });
const anyWindow = () => ({ startNs: 0n, endNs: nowNs() });

async function looking(kind: ObserverKind): Promise<Observation> {
  standIn('look');
  return kind.start(target());
}

describe.each(observerKinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  it('is absent', async () => {
    await expect(kind.probe(folder, GROUP)).rejects.toMatchObject({ limitation: 'no-tool' });
    await expect(kind.start(target())).rejects.toMatchObject({ limitation: 'no-tool' });
  });

  it('is forbidden, when it is tried and when it is begun', async () => {
    standIn('refuse');
    // Older kernels don't have every event.
    await expect(kind.probe(folder, GROUP)).rejects.toMatchObject({
      limitation: expect.stringMatching(/^(?:not-allowed|no-such-event)$/),
    });
    await expect(kind.start(target())).rejects.toMatchObject({ limitation: 'not-allowed' });
  });

  it('hangs when it is tried, when it is begun and when it is to end; nothing of it is left', async () => {
    standIn('hang');
    await expect(onFastClock(() => kind.probe(folder, GROUP))).rejects.toMatchObject({ limitation: 'hangs' });
    await expect(onFastClock(() => kind.start(target()))).rejects.toMatchObject({ limitation: 'hangs' });
    standIn('stay');
    const observation = await kind.start(target());
    await expect(onFastClock(() => observation.end(anyWindow()), 0)).rejects.toMatchObject({ limitation: 'hangs' });
    await untilTrue(() => !started().some(isThere));
  });

  it('is killed in the middle', async () => {
    const observation = await looking(kind);
    for (const pid of started()) process.kill(-pid, 'SIGKILL');
    await untilTrue(() => !started().some(isThere));
    // It may have heard of that, or not yet.
    await expect(observation.end(anyWindow())).rejects.toMatchObject({
      limitation: expect.stringMatching(/^(?:ended|unreadable)$/),
    });
  });

  it('is stopped while it begins, and cancelled while it looks; nothing of it is left', async () => {
    standIn('hang');
    const stop = new AbortController();
    const starting = kind.start(target(stop.signal));
    stop.abort(new Error('stopped'));
    await expect(starting).rejects.toThrow('stopped');
    const observation = await looking(kind);
    await observation.cancel();
    await untilTrue(() => !started().some(isThere));
  });

  it('gives nothing, or what nobody can read', async () => {
    const observation = await looking(kind);
    const seen = await observation.end(anyWindow()).catch((thrown: unknown) => thrown);
    expect([{ counts: [], samples: [] }, expect.objectContaining({ limitation: 'unreadable' })]).toContainEqual(seen);
    await untilTrue(() => !started().some(isThere));
  });
});

describe.each(Object.values(tracerKinds).map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  it('is absent, forbidden, or hangs when it is tried; nothing of it is left', async () => {
    await expect(kind.probe(folder)).rejects.toMatchObject({ limitation: 'no-tool' });
    standIn('refuse');
    await expect(kind.probe(folder)).rejects.toMatchObject({ limitation: 'no-tracing' });
    standIn('hang');
    await expect(onFastClock(() => kind.probe(folder))).rejects.toMatchObject({ limitation: 'hangs' });
    await untilTrue(() => !started().some(isThere));
  });
});
