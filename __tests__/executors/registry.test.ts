// Class: system.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import type { GivenPlace, PlaceKind } from '../../src/executors/kind.ts';
import {
  makeExecutor,
  placeConflicts,
  placeKeys,
  placeKinds,
  relocate,
  selectKind,
  type Variant,
} from '../../src/executors/registry.ts';
import { experimentJsonSchema } from '../../src/experiment/json-schema.ts';
import { parseExperiment } from '../../src/experiment/read.ts';

/** One variant of every kind, with a path of the host wherever one can be given, and how many those are. A new kind has a line here. */
const SAMPLES: Record<Variant['kind'], { readonly file: Record<string, unknown>; readonly paths: number }> = {
  native: { file: { workdir: 'inside' }, paths: 1 },
  compose: { file: { compose: { file: 'inside/compose.yml', service: 'web' } }, paths: 2 },
  container: { file: { build: { context: 'inside' }, volumes: ['./data:/data', '../data:/more'] }, paths: 4 },
  vm: {
    file: { vm: { image: 'inside/disk.qcow2', kernel: 'inside/k', initrd: 'i', cpus: 1, memory: '1g' } },
    paths: 3,
  },
};

const placeSample = (kind: PlaceKind) => SAMPLES[kind.name as Variant['kind']];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-registry-'));
  mkdirSync(join(folder, 'inside'));
  writeFileSync(join(folder, 'inside', 'Dockerfile'), 'FROM scratch\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(variant: Record<string, unknown>): Variant {
  const text = JSON.stringify({ workload: { run: ['true'] }, variants: { first: variant, second: {} } });
  return parseExperiment(text, { file: 'joulediff.yml', directory: folder }).variants[0] as Variant;
}

/** How many values in there begin with a path. */
function count(value: unknown, path: string): number {
  if (typeof value === 'string')
    return ['', '/', ':'].includes(value.slice(path.length, path.length + 1)) && value.startsWith(path) ? 1 : 0;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inside) => sum + count(inside, path), 0);
}

describe.each(placeKinds.map((kind) => [kind.name, kind] as const))('the kind %s', (name, kind) => {
  it('brings its keys to the schema of the experiment file, and each says what it is for', () => {
    const variants = experimentJsonSchema().properties as {
      variants: { additionalProperties: { anyOf: { properties?: Record<string, { description?: string }> }[] } };
    };
    const shape = variants.variants.additionalProperties.anyOf.find(({ properties }) => properties)?.properties ?? {};
    for (const key of Object.keys(kind.keys)) {
      expect(Object.keys(placeKeys)).toContain(key);
      expect(shape[key]).toMatchObject({ description: expect.stringMatching(/\.$/) });
    }
  });

  it('is chosen by its keys, resolves them, and survives the database', () => {
    const variant = read(placeSample(kind).file);
    expect(variant).toMatchObject({ kind: name, name: 'first', workload: { run: ['true'] } });
    expect(JSON.parse(JSON.stringify(variant))).toEqual(variant);
  });

  it('refuses what only other kinds have', () => {
    for (const other of placeKinds.filter(({ name: its }) => its !== name)) {
      const foreign = Object.keys(other.keys).filter((key) => !(key in kind.keys) && !other.selectedBy.includes(key));
      for (const key of foreign) {
        const { file } = placeSample(kind);
        const [conflict] = placeConflicts(given({ ...file, [key]: 'x' }));
        expect(conflict?.detail).toMatch(new RegExp(`^${key} is for .*${other.plural}.* runs ${kind.where}; `));
      }
    }
  });

  it('makes paths absolute, and moves every one into a checkout', () => {
    const { file, paths } = placeSample(kind);
    const variant = read(file);
    expect(count(variant, folder) + count(variant, join(folder, '..', 'data'))).toBe(paths);
    const moved = relocate(variant, (path) => join('/checkout', path));
    // What an image is tagged by is no path.
    expect(count(moved, '/checkout')).toBe(paths);
  });

  it('makes an executor', async () => {
    const environment = { experimentId: 'some', directory: folder, inheritedEnv: {}, passedEnv: {}, log() {} };
    const executor = await makeExecutor(read(placeSample(kind).file), environment);
    expect(executor).toMatchObject({ setup: expect.any(Function), prepare: expect.any(Function) });
  });
});

function given(file: Record<string, unknown>): GivenPlace {
  return {
    name: 'first',
    file,
    who: 'this variant',
    workdir: { value: undefined, path: ['workload', 'workdir'], isOwn: false },
    pathOf: (...keys) => ['variants', 'first', ...keys],
    given: () => undefined,
  };
}

describe('a kind that is added', () => {
  const guest: PlaceKind = {
    ...(placeKinds[0] as PlaceKind),
    name: 'guest',
    plural: 'virtual machines',
    where: 'in a virtual machine',
    keys: { disk: z.string().optional(), cpuset: z.string().optional() },
    selectedBy: ['disk'],
    advice: 'give a disk',
  };
  const kinds = [...placeKinds, guest];
  const details = (file: Record<string, unknown>) => placeConflicts(given(file), kinds).map(({ detail }) => detail);

  it('is found by what selects it', () => {
    expect(selectKind({ disk: 'a.qcow2' }, kinds)).toBe(guest);
    expect(selectKind({ cpuset: '0' }, kinds).name).toBe('native');
    expect(details({ disk: 'a.qcow2', cpuset: '0' })).toEqual([]);
  });

  it('shares keys with others, and is told of where a key is out of place', () => {
    expect(details({ cpuset: '0' })).toEqual([
      'cpuset is for containers and virtual machines, and without image or build or disk this variant runs on the host; give an image or give a disk or leave cpuset out',
    ]);
    expect(details({ disk: 'a.qcow2', network: 'host' })).toEqual([
      'network is for containers, and without image or build this variant runs in a virtual machine; give an image or leave network out',
    ]);
  });

  it('can not be chosen together with another', () => {
    expect(details({ disk: 'a.qcow2', image: 'debian' })).toEqual([
      'image and disk were both given, and a variant runs in one place; keep the one that you mean',
    ]);
  });
});
