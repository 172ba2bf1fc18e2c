// Class: world.
import { expect, it } from '@jest/globals';
import { baseImages } from '../../../src/executors/container/base-images.ts';

it.each<[string, string, string[]]>([
  ['one', 'FROM registry.test/app:1\nRUN true', ['registry.test/app:1']],
  [
    'a platform and a stage',
    'FROM --platform=linux/amd64 a.test/x AS base\nFROM base\nCOPY --from=base /a /b',
    ['a.test/x'],
  ],
  ['stages by number and scratch', 'FROM a.test/x\nFROM scratch\nCOPY --from=0 /a /b', ['a.test/x']],
  [
    'what is copied and mounted from',
    'FROM a.test/x\nCOPY --from=b.test/y /a /b\nRUN --mount=type=bind,from=c.test/z,target=/z true',
    ['a.test/x', 'b.test/y', 'c.test/z'],
  ],
  ['a default', 'ARG BASE=a.test/x\nARG TAG="2"\nFROM $'.concat('{BASE}:$TAG'), ['a.test/x:2']],
  ['a given argument', 'ARG BASE=a.test/x\nFROM $BASE', ['given.test/y']],
  ['a fallback', 'FROM $'.concat('{NONE:-a.test/x}'), ['a.test/x']],
  ['a variable that is not known', 'FROM $NONE', []],
  [
    'lines that go on, comments, small letters',
    '# FROM no.test/x\nfrom \\\n# between\n  a.test/x \\\n  as base\n',
    ['a.test/x'],
  ],
  [
    'here-documents, which name none',
    [
      'FROM a.test/x',
      "COPY <<-a.py <<'b c' /data/",
      'from time import sleep',
      '\ta.py',
      'FROM no.test/x',
      'b c',
      'RUN echo "no <<here" 1 <<<there \\',
      '  3<<"EOF"',
      'from pathlib import Path',
      'EOF',
      'FROM b.test/y',
    ].join('\n'),
    ['a.test/x', 'b.test/y'],
  ],
])('finds the images that a Dockerfile builds on: %s', (title, text, images) => {
  expect(baseImages(text, title === 'a given argument' ? { BASE: 'given.test/y' } : {})).toEqual(images);
});
