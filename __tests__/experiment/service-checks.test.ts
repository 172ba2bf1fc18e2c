// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { parse, refusal } from './support.ts';

const experiment = (place: string, variant: string, servicePlace = 'host') => `
workload: { run: ./load.sh, place: "${place}" }
services: { server: { run: ./server, place: "${servicePlace}" } }
variants: { base: {}, other: ${variant} }
`;

describe('a client that is the same for all variants', () => {
  const differences = ['revision: main', 'user: nobody', 'memory: 1g', 'pids: 50', 'workdir: there'];

  it.each(
    ['host', 'ssh://load'].flatMap((place) => differences.map((difference) => [place, difference] as const)),
  )('at %s is refused with %s of a variant in whose place nothing runs', (place, difference) => {
    const [key] = difference.split(':');
    expect(refusal(() => parse(experiment(place, `{ ${difference} }`)))).toContain(
      `nothing would run with ${key} of "other": there is no service with place: variant`,
    );
    expect(parse(experiment(place, `{ ${difference} }`, 'variant')).variants).toHaveLength(2);
  });

  it('may differ in what a hook takes from there', () => {
    const hook = 'hooks: { prepare: { run: ./deploy.sh, place: variant } }';
    expect(parse(`${experiment('host', '{ revision: main }')}${hook}\n`).variants).toHaveLength(2);
    expect(refusal(() => parse(`${experiment('host', '{ memory: 2g }')}${hook}\n`))).toContain(
      'with memory of "other"',
    );
  });

  it('may differ in what reaches it', () => {
    expect(parse(experiment('host', '{ run: ./other.sh, env: { A: b }, prepare: ./fill.sh }')).variants).toHaveLength(
      2,
    );
  });
});
