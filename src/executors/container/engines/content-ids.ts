import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type Docker from 'dockerode';
import tar from 'tar-fs';
import { type EngineInfo, infoOf } from '../docker.ts';
import { imageArchive } from './image-archive.ts';

/** Lists of an archive's contents by digests. Docker's engine writes both, others one of them. */
const LISTS = ['manifest.json', 'index.json'];
const MAX_BYTES = 2 ** 20;

/**
 * Whether the engine calls images by the digest of their manifest, as Docker's with containerd's image store does (the default from version 29 on), and
 * not by that of their configuration.
 */
export const callsByManifest = ({ DriverStatus: status }: EngineInfo): boolean =>
  ((status ?? []) as readonly (readonly string[])[]).some(
    ([name, value]) => name === 'driver-type' && value === 'io.containerd.snapshotter.v1',
  );

/**
 * IDs that an image may have in another engine, its own first: digests depend on the content alone, so an image with any of these is the same. Both
 * are in the archive that the engine makes of it, which is read only if the two engines name images differently. `folder`: a private one.
 */
export async function contentIds(
  from: Docker,
  id: string,
  to: EngineInfo,
  folder: string,
  stop: AbortSignal,
): Promise<readonly string[]> {
  if (!callsByManifest(to) && !callsByManifest(await infoOf(from))) return [id];
  const lists = join(folder, 'archive');
  mkdirSync(lists, { mode: 0o700 });
  try {
    await pipeline(await imageArchive(from, id, stop), listsInto(lists), { signal: stop });
    const texts = readdirSync(lists).map((name) => readFileSync(join(lists, name), 'utf8'));
    return [...new Set([id, ...texts.flatMap(digestsIn)])];
  } finally {
    rmSync(lists, { recursive: true, force: true });
  }
}

/** Extracts only the lists from an archive. */
function listsInto(folder: string): NodeJS.WritableStream {
  const taken = new Set<string>();
  return tar.extract(folder, {
    dmode: 0o700,
    fmode: 0o600,
    ignore(_, header) {
      const name = header?.name ?? '';
      const isList = LISTS.includes(name) && header?.type === 'file' && (header.size ?? 0) <= MAX_BYTES;
      if (!isList || taken.has(name)) return true;
      taken.add(name);
      return false;
    },
  });
}

/** `[{"Config":"blobs/sha256/HEX"}]`, before version 25 `HEX.json` (Docker's own), and `{"manifests":[{"digest":"sha256:HEX"}]}` (OCI image layout). */
export function digestsIn(text: string): string[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return [];
  }
  const manifests = (list as { manifests?: unknown } | null)?.manifests;
  const reported = [
    ...(Array.isArray(list) ? list.map((one: { Config?: unknown } | null) => one?.Config) : []),
    ...(Array.isArray(manifests) ? manifests.map((one: { digest?: unknown } | null) => one?.digest) : []),
  ];
  return reported.flatMap((name) => {
    const found = /^(?:blobs\/sha256\/|sha256:)?([0-9a-f]{64})(?:\.json)?$/.exec(String(name));
    return found === null ? [] : [`sha256:${found[1]}`];
  });
}
