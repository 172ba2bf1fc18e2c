// Class: system.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { limitationOfProgram, startedBy } from '../../../../../src/parts/explain/observers/uftrace/program.ts';

const has = (program: string) => spawnSync(program, ['--version']).status === 0;
/** Skipped by name where there is no compiler for both C libraries; npm test installs them. */
const describeCompiled = has('gcc') && has('musl-gcc') ? describe : describe.skip;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-program-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A program of the C library of this machine stands in for uftrace, which need not be here. */
const programLimitation = (command: string | readonly string[] | null) =>
  limitationOfProgram({ command, directory: folder, path: `${folder}:${process.env.PATH}`, isOther: false }, 'plain');

describeCompiled('a program', () => {
  beforeAll(() => {
    const source = join(folder, 'main.c');
    writeFileSync(source, 'int main(void) { return 0; }\n');
    execFileSync('gcc', ['-o', join(folder, 'plain'), source]);
    execFileSync('gcc', ['-static', '-o', join(folder, 'static'), source]);
    execFileSync('musl-gcc', ['-o', join(folder, 'musl'), source]);
    for (const [name, first] of Object.entries({ script: join(folder, 'musl'), again: join(folder, 'again') })) {
      writeFileSync(join(folder, name), `#!${first}\n`);
      chmodSync(join(folder, name), 0o755);
    }
  });

  it.each([
    [['./plain', '5'], null],
    [['sh', '-c', './musl'], null],
    ['./plain 5', null],
    ['true; ./musl', null],
    [['./static'], 'static'],
    ['static 5', 'static'],
    [['./musl'], 'not-glibc'],
    ['./musl 5', 'not-glibc'],
    [['./script'], 'not-glibc'],
    [['./again'], null],
    [['./absent'], null],
    [null, null],
  ] as const)('%j: %s', (command, limitation) => {
    expect(programLimitation(command)).toBe(limitation);
  });
});

it('takes nothing from files that are no programs, or lie about their headers', () => {
  const elf = Buffer.alloc(64);
  elf.write('\x7fELF\x02\x01', 'latin1');
  const lies = {
    text: Buffer.from('no program'),
    empty: Buffer.alloc(0),
    short: Buffer.from('\x7fELF', 'latin1'),
    far: Buffer.from(elf).fill(0xff, 32, 40).fill(0x01, 56, 57),
    many: Buffer.from(elf).fill(0xff, 56, 58),
  };
  for (const [name, content] of Object.entries(lies)) {
    writeFileSync(join(folder, name), content);
    expect({ name, by: startedBy(join(folder, name)) }).toEqual({ name, by: null });
  }
  expect(startedBy(folder)).toBeNull();
});
