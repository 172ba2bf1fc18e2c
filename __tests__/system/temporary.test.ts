// Class: unit.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { checkOutputFolder, TEXT_MARK } from '../../src/system/output-folder.ts';
import { replaceFile } from '../../src/system/replace-file.ts';
import { ResultFolder } from '../../src/system/result-folder.ts';
import { temporaryFor } from '../../src/system/temporary.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'joulediff-temporary-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A process is killed with half of a file written. */
async function killedWhileWriting(path: string): Promise<void> {
  const code = `
    import { replaceFile } from ${JSON.stringify(new URL('../../src/system/replace-file.ts', import.meta.url).href)};
    function* parts() { yield 'x'.repeat(1e6); process.kill(process.pid, 'SIGKILL'); for (;;) yield 'x'; }
    await replaceFile(${JSON.stringify(path)}, parts());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
  await once(child, 'exit');
}

it('what a killed process was writing makes no result somebody else’s, and goes', async () => {
  writeFileSync(join(folder, 'comment.md'), TEXT_MARK);
  await killedWhileWriting(join(folder, 'report.html'));
  expect(readdirSync(folder)).toEqual(['comment.md', expect.stringMatching(/^report\.html\.\d+-.*\.tmp$/)]);
  expect(checkOutputFolder(folder)).toBe(true);
  using opened = ResultFolder.open(folder);
  expect(opened.names()).toEqual(['comment.md']);
});

it('the next one that writes a file removes what was left of it, and nothing else', async () => {
  const path = join(folder, 'file');
  await killedWhileWriting(path);
  const kept = [
    temporaryFor(join(folder, 'file')),
    `${path}.${process.ppid}-${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.tmp`,
  ];
  for (const one of [...kept, `${path}.tmp`]) writeFileSync(one, '');
  await replaceFile(path, 'whole');
  expect(readdirSync(folder).sort()).toEqual(
    ['file', 'file.tmp', ...kept.map((one) => one.slice(folder.length + 1))].sort(),
  );
});
