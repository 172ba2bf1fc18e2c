// Class: unit.
import { expect, it } from '@jest/globals';
import { parse, refusal } from './support.ts';

const given = (workload: string, server: string): string => `
workload: { run: ./client.sh${workload} }
variants: { native: {}, container: { image: debian } }
services:
  server: { run: ./server${server} }
`;

it('a profiler is named by the workload or by a service, with the port at which it is asked', () => {
  const { profiles } = parse(given(', profile: node', ', profile: { redis: { port: 6380 } }'));
  expect(profiles).toEqual([
    { kind: 'node', of: null, port: null },
    { kind: 'redis', of: 'server', port: 6380 },
  ]);
  expect(parse(given('', ', profile: redis')).profiles).toEqual([{ kind: 'redis', of: 'server', port: null }]);
  expect(parse(given('', ', profile: { redis: }')).profiles).toEqual([{ kind: 'redis', of: 'server', port: null }]);
  expect(parse(given(', profile: go', ', profile: { go: { port: 6060 } }')).profiles).toEqual([
    { kind: 'go', of: null, port: null },
    { kind: 'go', of: 'server', port: 6060 },
  ]);
  expect(parse(given('', ''))).not.toHaveProperty('profiles');
});

it.each([
  [', profile: redis', '', 'workload.profile: "redis" was given, which asks a server before the command and after it'],
  [', profile: { go: { port: 6060 } }', '', 'workload.profile: "go" was given with a port, at which a server is asked'],
  ['', ', lifetime: experiment, profile: py-spy', '"py-spy" was given, and finds what starts in an observed run alone'],
  ['', ', profile: { }', 'services.server.profile: it takes one of'],
  ['', ', profile: perl', 'services.server.profile: "perl" was given; it must be the name of a profiler'],
  ['', ', profile: { redis: { port: 0 } }', 'profile'],
  ['', ', lifetime: experiment, profile: node', '"node" was given, and writes when its process ends, after all runs'],
])('%s %s is refused', (workload, server, sentence) => {
  expect(refusal(() => parse(given(workload, server)))).toContain(sentence);
});

it('a PostgreSQL is asked as the user that the file names', () => {
  const [one] = parse(given('', ', profile: { postgres: { user: bench, database: shop } }')).profiles ?? [];
  expect(one).toEqual({ kind: 'postgres', of: 'server', port: null, user: 'bench', database: 'shop' });
});
