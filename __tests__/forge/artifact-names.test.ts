// Class: system.
import { describe, expect, it } from '@jest/globals';
import { artifactName, newestOfEach } from '../../src/forge/artifact-names.ts';

const names = (...given: string[]) =>
  newestOfEach(
    given.map((name, i) => ({ name, id: i + 1 })),
    'joulediff',
  );

describe('newestOfEach', () => {
  it('takes the artifact of the name and those of a matrix, and no page and nothing else', () => {
    const found = names(
      'joulediff',
      'joulediff.html',
      'logs',
      'joulediff-b',
      'joulediffs',
      'my-joulediff',
      'joulediff-a',
      'joulediff-a.html',
    );
    expect(found.map(({ name }) => name)).toEqual(['joulediff', 'joulediff-a', 'joulediff-b']);
  });

  it('takes of each job what its latest attempt left, in whatever order', () => {
    const found = names(
      'joulediff-a-attempt-10',
      'joulediff-a',
      'joulediff-b',
      'joulediff-a-attempt-2',
      'joulediff-attempt-3',
      'joulediff',
    );
    expect(found.map(({ name }) => name)).toEqual(['joulediff-a-attempt-10', 'joulediff-attempt-3', 'joulediff-b']);
  });

  it('takes the later of two with the same name, as servers that allow it list them', () => {
    expect(names('joulediff', 'joulediff')).toEqual([{ name: 'joulediff', id: 2 }]);
  });
});

describe('artifactName', () => {
  it.each([
    ['', /^joulediff$/],
    ['arm64', /^joulediff-arm64$/],
    ['node 24 / ubuntu: "x"', /^joulediff-node-24-ubuntu-x-[0-9a-f]{8}$/],
    ['***', /^joulediff-[0-9a-f]{8}$/],
    ['é', /^joulediff-[0-9a-f]{8}$/],
    ['x'.repeat(60), /^joulediff-x{60}$/],
    ['x'.repeat(100), /^joulediff-x{60}-[0-9a-f]{8}$/],
  ])('with the key %j is %s', (key, name) => {
    expect(artifactName('joulediff', key)).toMatch(name);
  });

  it('is another one for each key, none of which is taken for a later attempt or a page', () => {
    const keys = ['c', 'c++', 'c#', '-c', 'C', '', '+', 'attempt-2', 'c-attempt-2', 'c.html'];
    const long = ['a', 'b'].map((end) => 'x'.repeat(60) + end);
    const made = [...keys, ...long].map((key) => artifactName('joulediff', key));
    expect(names(...made)).toHaveLength(made.length);
  });
});
