// Class: world, long.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { InputError } from '../../../src/errors.ts';
import { imageFiles } from '../../../src/executors/vm/image.ts';
import { qcow2 } from './qcow2.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-image-'));
  mkdirSync(join(folder, 'disks/bases'), { recursive: true });
  writeFileSync(join(folder, 'secret'), 'of another user');
  writeFileSync(join(folder, 'disks/base.raw'), 'as it was');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, 'disks', name);
const image = (given: Parameters<typeof qcow2>[0], name = 'disk.qcow2'): string => {
  writeFileSync(at(name), qcow2(given));
  return at(name);
};

it('is one file, of the format that its first bytes tell, where it is based on nothing', () => {
  expect(imageFiles(at('base.raw'), 'guest')).toEqual([{ path: at('base.raw'), format: 'raw' }]);
  expect(imageFiles(image({}), 'guest')).toEqual([{ path: at('disk.qcow2'), format: 'qcow2' }]);
});

it('is based on what lies in its folder, file by file', () => {
  image({ base: '../base.raw', format: 'raw' }, 'bases/middle.qcow2');
  const top = image({ base: 'bases/middle.qcow2', format: 'qcow2' });
  expect(imageFiles(top, 'guest')).toEqual([
    { path: top, format: 'qcow2' },
    { path: at('bases/middle.qcow2'), format: 'qcow2' },
    { path: at('base.raw'), format: 'raw' },
  ]);
});

it.each<[string, Parameters<typeof qcow2>[0], RegExp]>([
  ['is elsewhere', { base: '../secret', format: 'raw' }, /is based on \.\.\/secret, outside of its folder/],
  [
    'is a file of the system',
    { base: '/etc/passwd', format: 'raw' },
    /is based on \/etc\/passwd, outside of its folder/,
  ],
  ['is a device', { base: '/dev/zero', format: 'raw' }, /outside of its folder/],
  ['is a link to elsewhere', { base: 'link', format: 'raw' }, /is based on link, outside of its folder/],
  ['is an address', { base: 'nbd://198.51.100.1/x', format: 'raw' }, /is based on nbd:.*, which is no plain file/],
  ['is a way to get at anything', { base: 'json:{"driver":"file"}', format: 'raw' }, /which is no plain file/],
  [
    'is of a format that names files itself',
    { base: 'base.raw', format: 'vmdk' },
    /of the format vmdk, and qcow2 and raw are known/,
  ],
  ['would be guessed', { base: 'base.raw' }, /and does not tell its format/],
  ['is not there', { base: 'gone.raw', format: 'raw' }, /is based on gone\.raw, which isn’t there/],
  ['is no qcow2 image', { base: 'base.raw', format: 'qcow2' }, /which is no qcow2 image/],
  ['is itself', { base: 'disk.qcow2', format: 'qcow2' }, /is based on more than 15 others/],
  ['is beside its data', { externalData: true }, /keeps its data in another file/],
  ['has a name that goes on', { base: 'base.raw', format: 'raw', nameLength: 60_000 }, /is broken/],
  ['is cut off', { length: 20 }, /is broken/],
])('is refused where what it is based on %s', (_, given, message) => {
  symlinkSync('/etc/passwd', at('link'));
  const path = image(given);
  expect(() => imageFiles(path, 'guest')).toThrow(InputError);
  expect(() => imageFiles(path, 'guest')).toThrow(message);
  expect(() => imageFiles(path, 'guest')).toThrow(/^The image of variant "guest", \/.*\/disk\.qcow2,/);
});
