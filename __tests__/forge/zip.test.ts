// Class: system.
import { describe, expect, it } from '@jest/globals';
import { fileOfZip } from '../../src/forge/zip.ts';
import { type ZipEntry, zip } from '../servers/zip.ts';

const good: ZipEntry = { name: 'findings.json', content: '{"a":1}' };
const read = (entries: readonly ZipEntry[], most = 1000) => fileOfZip(zip(entries), 'findings.json', most);

describe('fileOfZip', () => {
  it('gives the one file, whatever else there is', async () => {
    const others = [
      { name: 'charts/a.png', content: 'x' },
      { name: 'nested/findings.json', content: 'not me' },
    ];
    expect((await read([...others, good]))?.toString()).toBe('{"a":1}');
    expect(await read(others)).toBeNull();
  });

  it.each<[string, ZipEntry[], RegExp]>([
    ['the file twice', [good, { ...good, content: '{"a":2}' }], /has findings\.json 2 times/],
    ['a path that leads out', [good, { name: '../../etc/cron.d/x', content: '' }], /invalid relative path/],
    ['an absolute path', [good, { name: '/etc/cron.d/x', content: '' }], /absolute path/],
    ['a path of another system', [good, { name: 'a\\..\\x', content: '' }], /invalid characters/],
    ['a link', [{ ...good, content: '/etc/passwd', mode: 0o120777 }], /not a file but a link/],
    ['an encrypted file', [{ ...good, encrypted: true }], /is encrypted/],
    ['a file larger than the limit', [{ ...good, content: 'x'.repeat(1001) }], /has 1001 bytes; the limit is 1000/],
    ['a file that hides its size', [{ ...good, content: 'x'.repeat(50_000_000), size: 900 }], /too many bytes/],
    ['a file that is shorter than it says', [{ ...good, size: 900 }], /not enough bytes/],
    ['a damaged file', [{ ...good, crc: 1 }], /damaged/],
    [
      'more files than any result',
      Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}`, content: '' })),
      /has 10001 files/,
    ],
  ])('refuses %s', async (_, entries, why) => {
    await expect(read(entries)).rejects.toThrow(why);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['half an archive', zip([good]).subarray(0, 40)],
    ['a directory that lies elsewhere', Buffer.concat([zip([good]), Buffer.from('tail')])],
    ['noise', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256))],
  ])('refuses %s', async (_, archive) => {
    await expect(fileOfZip(archive, 'findings.json', 1000)).rejects.toThrow();
  });

  it('survives every cut and every changed byte of an archive', async () => {
    const archive = zip([good, { name: 'b', content: 'b' }]);
    for (let at = 0; at < archive.length; at++) {
      const changed = Buffer.from(archive);
      changed[at] = changed[at]! ^ 0xff;
      for (const broken of [changed, archive.subarray(0, at)]) {
        const content = await fileOfZip(broken, 'findings.json', 1000).catch(() => null);
        expect(content?.toString() ?? good.content).toBe(good.content);
      }
    }
  });
});
