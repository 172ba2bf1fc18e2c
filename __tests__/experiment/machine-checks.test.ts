// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { parse, refusal } from './support.ts';

const RIGHT = `workload: { run: ./app.sh }
services:
  db: { run: ./db, place: "ssh://bench@db:2222", ready: { tcp: 5432 }, address: db.lan }
  cache: { run: ./cache, place: ssh://bench@db }
variants: { native: {}, container: { image: debian } }
`;

describe('services on another machine', () => {
  it('are taken as they are given', () => {
    expect(parse(RIGHT).services).toMatchObject([
      { name: 'db', place: 'ssh://bench@db:2222', address: 'db.lan' },
      { name: 'cache', place: 'ssh://bench@db' },
    ]);
  });

  it.each([
    ['"ssh://bench@db:2222"', 'ssh://-oProxyCommand=touch', '"variant", "host", or another machine as ssh knows it'],
    ['"ssh://bench@db:2222"', 'host', 'it tells where a service of another machine is found, and place is "host"'],
    ['db.lan', '"-x"', 'a name or an address of that machine'],
    ['cache:', 'Db:', 'JOULEDIFF_SERVICE_HOST_DB would tell where "db" is, too'],
    ['ssh://bench@db }', 'ssh://bench@db, profile: redis }', 'can’t be observed'],
    [
      'variants:',
      'window: service\nvariants:',
      '"db" starts and ends on another machine; give it lifetime: experiment',
    ],
    ['image: debian', 'compose: { file: c.yml, service: web }', 'has no services on other machines yet'],
    ['variants:', 'host: ssh://sut\nmeter: fake:/dev/x\nvariants:', 'services does not work with host yet'],
    ['./app.sh', './app.sh, place: ssh://load', 'there is no service here: nothing would run on the one measured'],
  ])('are refused where it would be another thing: %s', (from, to, reported) => {
    expect(RIGHT).toContain(from);
    expect(refusal(() => parse(RIGHT.replace(from, to)))).toContain(reported);
  });
});
