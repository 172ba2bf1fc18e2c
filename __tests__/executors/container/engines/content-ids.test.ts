// Class: world.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type Docker from 'dockerode';
import tar from 'tar-fs';
import {
  type callsByManifest,
  contentIds,
  digestsIn,
} from '../../../../src/executors/container/engines/content-ids.ts';

type Info = Parameters<typeof callsByManifest>[0];

const [CONFIG, MANIFEST] = ['c', 'a'].map((digit) => digit.repeat(64)) as [string, string];
const GRAPH = { Driver: 'overlay2', DriverStatus: [['Backing Filesystem', 'extfs']] } as unknown as Info;
// As Docker 28 and 29 say it with containerd's image store.
const STORE = {
  Driver: 'overlayfs',
  DriverStatus: [['driver-type', 'io.containerd.snapshotter.v1']],
} as unknown as Info;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-ids-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An engine that says so of itself, and gives this archive: no real one here calls images by their manifest. */
function engine(info: Info, files: Readonly<Record<string, string | Buffer>> = {}): Docker {
  const get = async () =>
    tar.pack('/', {
      entries: [],
      finalize: false,
      finish: (pack) => {
        for (const [name, content] of Object.entries(files)) pack.entry({ name }, content);
        pack.finalize();
      },
    });
  return { info: async () => info, getImage: () => ({ get }) } as unknown as Docker;
}
const ids = (from: Docker, to: Info) =>
  contentIds(from, `sha256:${MANIFEST}`, to, folder, new AbortController().signal);

it('are the one that an image has, where both engines call it by its configuration', async () => {
  expect(await ids(engine(GRAPH), GRAPH)).toEqual([`sha256:${MANIFEST}`]);
});

it('are read in the archive where one of them calls it by its manifest, and nothing else of that is kept', async () => {
  const files = {
    'blobs/sha256/layer': randomBytes(300_000),
    '../manifest.json': 'not this one',
    'index.json': JSON.stringify({ schemaVersion: 2, manifests: [{ digest: `sha256:${MANIFEST}`, size: 7 }] }),
    'manifest.json': JSON.stringify([{ Config: `blobs/sha256/${CONFIG}`, RepoTags: null, Layers: [] }]),
    'oci-layout': '{}',
  };
  const both = [MANIFEST, CONFIG].map((hex) => `sha256:${hex}`);
  expect(await ids(engine(STORE, files), GRAPH)).toEqual(both);
  expect(await ids(engine(GRAPH, files), STORE)).toEqual(both);
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  [`[{"Config":"${CONFIG}.json"}]`, [`sha256:${CONFIG}`]],
  ['[{"Config":"../../etc/passwd"},null,7]', []],
  ['{"manifests":[null,{"digest":"md5:7"}]}', []],
  ['null', []],
  ['no JSON', []],
])('are taken from lists of any age, and from nothing else: %s', (text, expected) => {
  expect(digestsIn(text)).toEqual(expected);
});
