// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { parse, refusal } from './support.ts';

const RIGHT = `workload: { run: ./load.sh, place: "ssh://bench@load:2222" }
services: { server: { run: ./server, ready: { tcp: 8080 } } }
variants: { native: {}, host: { image: debian, network: host }, bridge: { image: debian, ports: ["8080:8080"] } }
`;

describe('a client on a third machine', () => {
  it('is the same for all variants, which stay where they are', () => {
    const { client, host, variants } = parse(RIGHT);
    expect(client).toEqual({ address: 'ssh://bench@load:2222', serviceHost: null });
    expect(host).toBeUndefined();
    expect(variants.map(({ kind, workload }) => [kind, workload.place])).toEqual([
      ['native', undefined],
      ['container', undefined],
      ['container', undefined],
    ]);
  });

  it('is told where the services are', () => {
    const text = RIGHT.replace(':2222"', ':2222", service-host: bench.lan');
    expect(parse(text).client?.serviceHost).toBe('bench.lan');
  });

  it.each([
    ['ssh://bench@load:2222', 'ssh://-oProxyCommand=touch', 'or another machine as ssh knows it'],
    ['ssh://bench@load:2222', 'elsewhere', '"variant", "host", or another machine as ssh knows it'],
    ['"ssh://bench@load:2222"', 'host, service-host: x', 'workload.place names none'],
    [':2222"', ':2222", service-host: "-x"', 'a name or an address of this machine'],
    ['services: { server: { run: ./server, ready: { tcp: 8080 } } }\n', '', 'there is no service'],
    ['variants:', 'explain: always\nvariants:', 'can’t be observed yet'],
    ['variants:', 'output: file\nvariants:', 'kept in the memory of that machine'],
    ['variants:', 'host: ssh://sut\nmeter: fake:/dev/x\nvariants:', 'with host everything runs on that machine'],
    [', ports: ["8080:8080"]', '', 'none is published; give it, such as ports'],
    [', ports: ["8080:8080"]', ', ports: ["127.0.0.1:8080:8080"]', 'with 127.0.0.1 nobody else does'],
    [', ports: ["8080:8080"]', ', network: none', 'with network: none none can be published'],
    ['image: debian, ports: ["8080:8080"]', 'compose: { file: c.yml, service: web }', 'can’t load yet'],
    ['ready: { tcp: 8080 }', 'ready: { tcp: 8080 }, place: host', 'nothing would run in "host"'],
  ])('is refused where it would be another thing: %s', (from, to, reported) => {
    expect(RIGHT).toContain(from);
    expect(refusal(() => parse(RIGHT.replace(from, to)))).toContain(reported);
  });
});
