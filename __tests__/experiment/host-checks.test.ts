// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { parse, refusal } from './support.ts';

const RIGHT = `workload: { run: ./bench.sh }
variants: { small: {}, large: { run: ./bench.sh 2 } }
host: ssh://bench@sut:2222
meter: watts-up-pro:/dev/ttyUSB0
`;

describe('host', () => {
  it('is the machine that is measured', () => {
    expect(parse(RIGHT).host).toBe('ssh://bench@sut:2222');
  });

  it('runs containers of images that are there or can be pulled there', () => {
    const { variants } = parse(RIGHT.replace('large: {', 'large: { image: debian, memory: 1g,'));
    expect(variants[1]).toMatchObject({ kind: 'container', image: 'debian', memoryBytes: 2 ** 30 });
  });

  it.each([
    ['-oProxyCommand=touch', 'ssh://-oProxyCommand=touch'],
    ['an option in the place of a user', 'ssh://-l@sut'],
    ['words', 'ssh://sut true'],
    ['a machine without its scheme', 'bench@sut'],
  ])('is nothing that ssh could take for something else: %s', (_, host) => {
    const text = RIGHT.replace('ssh://bench@sut:2222', JSON.stringify(host));
    expect(refusal(() => parse(text))).toContain('it must be another machine as ssh knows it');
  });

  it.each([
    ['meter: watts-up-pro:/dev/ttyUSB0', '', 'auto would choose among what is connected to this machine'],
    [
      'large: {',
      'large: { image: debian, volumes: [./data:/data],',
      'volumes of a container does not work with host yet',
    ],
    ['large: {', 'large: { image: debian, network: own,', 'network: own does not work with host yet'],
    ['large: {', 'large: { image: debian, prepare: ./x,', 'prepare of a container does not work with host yet'],
    ['large: {', 'large: { compose: { file: compose.yml, service: web },', '"large" runs in Compose'],
    ['large: {', 'large: { vm: { image: disk.img, cpus: 1, memory: 1g },', '"large" runs in a virtual machine'],
    ['large: {', 'large: { memory: 1g,', 'memory does not work with host yet'],
    ['workload: {', 'workload: { place: host,', 'with host everything runs on that machine'],
    ['host:', 'explain: always\nhost:', 'can’t be observed yet'],
    ['host:', 'quiet: true\nhost:', 'quiet does not work with host yet'],
    ['host:', 'on-noise: wait\nhost:', 'on-noise does not work with host yet'],
    ['host:', 'hooks: { before-all: ./x }\nhost:', 'hooks does not work with host yet'],
    ['host:', 'services: { s: { run: ./s } }\nhost:', 'services does not work with host yet'],
    ['host:', 'phases: auto\nhost:', 'phases does not work with host yet'],
    ['host:', 'cpus: { workload: 1 }\nhost:', 'cpus does not work with host yet'],
    ['host:', 'output: file\nhost:', 'output is kept in the memory of that machine'],
  ])('refuses what it can’t do there, and does nothing of it here: %s becomes %s', (from, to, sentence) => {
    expect(refusal(() => parse(RIGHT.replace(from, to)))).toContain(sentence);
  });
});
