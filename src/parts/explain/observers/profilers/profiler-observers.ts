import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StackSample, Window } from '../../../../contracts/observation.ts';
import type { Profile } from '../../../../contracts/profilers.ts';
import { findProfiler, rungName } from '../../../../contracts/profilers.ts';
import { makeMarkedFolder, removeFolder } from '../../../../processes/left-folders.ts';
import type { Observation, ObserverKind } from '../observer.ts';
import { ObserverError } from '../tool.ts';
import { attaching } from './attached.ts';
import { readContent } from './content.ts';
import { polling } from './polled.ts';
import type { Account, AskedProfiler, FileProfiler, Numbering, Server } from './profiler.ts';
import { profilerKinds } from './registry.ts';

/** Maximum profile files read for a run; others are ignored. */
const MAX_FILES = 500;
const MAX_BYTES = 256 * 2 ** 20;
const MAX_SAMPLES = 2_000_000;

/** Observers for the profilers that an experiment names. Whether one works shows only in the run, where its target is. */
export function profilerObservers(
  profiles: readonly Profile[],
  experimentId: string,
  numbering: Numbering = 'host',
): ObserverKind[] {
  return profiles.flatMap((profile): ObserverKind[] => {
    const name = rungName(profile.kind, profile.of);
    const found = findProfiler(name);
    if (found === null) return [];
    const kind = profilerKinds[found.name];
    const probe = async () => {};
    if (kind.way === 'asked') return [{ name, probe, start: async ({ signal }) => asking(kind, profile, signal) }];
    const reported = { name, insteadOf: ['perf-record', 'perf-user'] };
    if (kind.way === 'attached') {
      return [
        {
          ...reported,
          probe: kind.probe,
          start: async ({ folder }) => attaching(kind, profile.of, { folder, numbering }),
        },
      ];
    }
    if ('atPort' in kind && profile.port !== null) {
      const { atPort } = kind;
      return [
        {
          ...reported,
          probe,
          start: async ({ signal }) => polling(atPort, { ...profile, port: profile.port ?? 0 }, signal),
        },
      ];
    }
    return [{ ...reported, probe, start: async ({ folder }) => collecting(kind, profile, { folder, experimentId }) }];
  });
}

/** Gives a process a folder for its profiles, and reads them afterwards. */
function collecting(
  kind: FileProfiler,
  { of }: Profile,
  { folder, experimentId }: { readonly folder: string; readonly experimentId: string },
): Observation {
  const { top, shared } = makeFolder(experimentId, kind.files);
  let isAdded = false;
  const onAdded = () => {
    isAdded = true;
  };
  return {
    added: { of, words: kind.words(shared), folder: shared, onAdded },
    async cancel() {
      removeFolder(top);
    },
    async end(window) {
      try {
        if (!isAdded) throw new ObserverError('place-not-seen');
        return { counts: [], samples: await takeFrom(kind, shared, window, folder) };
      } finally {
        removeFolder(top);
      }
    },
  };
}

/** Makes a folder that any user can write to, since the process may run as any, inside a folder that others can't list. */
function makeFolder(
  experimentId: string,
  files: FileProfiler['files'] = {},
): { readonly top: string; readonly shared: string } {
  // Words of variables are separated by blanks, and volumes by colons.
  const base = /^[\w./-]+$/.test(tmpdir()) ? tmpdir() : '/var/tmp';
  const top = makeMarkedFolder(base, 'joulediff-profile-', experimentId);
  const shared = join(top, 'profiles');
  mkdirSync(shared);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(shared, name), content);
    chmodSync(join(shared, name), 0o644);
  }
  chmodSync(shared, 0o1777);
  chmodSync(top, 0o711);
  return { top, shared };
}

async function takeFrom(
  kind: FileProfiler,
  shared: string,
  window: Window,
  folder: string,
): Promise<readonly StackSample[]> {
  const all = namesIn(shared);
  const names = all.filter((name) => name.endsWith(kind.suffix));
  if (names.length === 0) throw new ObserverError('no-profile');
  if (hasKilled(kind, all)) throw new ObserverError('killed');
  if (names.length > MAX_FILES) throw new ObserverError('wrote-too-much');
  const samples: StackSample[][] = [];
  let room = MAX_BYTES;
  let count = 0;
  for (const name of names) {
    const content = readContent(join(shared, name), room);
    room -= content.length;
    const found = await kind.read(content, window, folder);
    samples.push([...found]);
    count += found.length;
    if (count > MAX_SAMPLES) throw new ObserverError('wrote-too-much');
  }
  return samples.flat();
}

/** Whether a process started but wrote no profile. */
function hasKilled({ begun, suffix }: FileProfiler, names: readonly string[]): boolean {
  if (begun === undefined) return false;
  const there = new Set(names);
  return names.some((name) => name.endsWith(begun) && !there.has(`${name.slice(0, -begun.length)}${suffix}`));
}

/** Names in the folder; empty if a workload removed it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Queries a service's totals before and after the client. */
function asking(kind: AskedProfiler, profile: Profile, signal: AbortSignal): Observation {
  let before: Account | null = null;
  let after: Account | null = null;
  let server: Server | null = null;
  let failure: unknown = null;
  return {
    around: {
      async begin(findAddresses) {
        try {
          const addresses = await findAddresses(profile.of ?? '');
          if (addresses === null) throw new ObserverError('place-not-seen');
          const { port, user = null, database = null } = profile;
          server = { host: addresses[0] ?? '127.0.0.1', port: port ?? kind.port, user, database };
          before = await kind.ask(server, signal);
        } catch (thrown) {
          failure = thrown;
        }
      },
      async end() {
        if (before === null || server === null) return;
        try {
          after = await kind.ask(server, signal);
        } catch (thrown) {
          failure = thrown;
        }
      },
    },
    async cancel() {},
    async end({ startNs, endNs }) {
      if (failure !== null) throw failure;
      // The variant's place did not call the queries.
      if (before === null || after === null) throw new ObserverError('place-not-seen');
      const counts = kind.between(before, after).map((count) => ({ fromNs: startNs, toNs: endNs, ...count }));
      return { counts, samples: [] };
    },
  };
}
