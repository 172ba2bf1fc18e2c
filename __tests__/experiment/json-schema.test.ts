// Class: unit.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse as parseYaml } from 'yaml';
import { experimentJsonSchema } from '../../src/experiment/json-schema.ts';

const published = JSON.parse(readFileSync('docs/joulediff.schema.json', 'utf8'));

describe('the published JSON Schema', () => {
  it('is what the program checks with', () => {
    expect(published).toEqual(experimentJsonSchema());
  });

  const validate = new Ajv({ strict: false }).compile(published);
  const check = (text: string) => validate(parseYaml(text)) || validate.errors?.map((error) => error.instancePath);

  it('takes variants, or a matrix, or both', () => {
    const example = readFileSync('examples/two-by-two/joulediff.yml', 'utf8').replace(/(ROUNDS): (\d+)/g, '$1: "$2"');
    expect(check(example)).toBe(true);
    expect(check(`${example}\nvariants: { native: {}, container: { image: x } }`)).toBe(true);
    expect(
      check('workload: { run: x }\nmatrix: { cpus: [1, 2], network: [bridge, host], exclude: [{ cpus: 1 }] }'),
    ).toBe(true);
    expect(check('workload: { run: x }\nmatrix: { cpus: [many] }')).not.toBe(true);
    expect(check('workload: { run: x }\nmatrix: { a: { u: { imagee: x }, v: {} }, b: {} }')).not.toBe(true);
  });

  it('takes the example and the shortest file', () => {
    expect(
      check(readFileSync('examples/sort/joulediff.yml', 'utf8').replace(/(LINES|ROUNDS): (\d+)/g, '$1: "$2"')),
    ).toBe(true);
    expect(check('workload: { run: x }\nvariants: { native: , container: { build: {} } }')).toBe(true);
  });

  it.each([
    ['an unknown key', 'variants: {}\nrepetition: 3', ['']],
    ['no variants', 'workload: { run: x }', ['']],
    ['a wrong number', 'variants: {}\nrepetitions: 0', ['/repetitions']],
    ['a wrong unit', 'variants: {}\nguard: 3 sec', ['/guard', '/guard', '/guard']],
    ['a named volume', 'variants: { a: { image: x, volumes: ["data:/data"] } }', ['/variants/a/volumes/0']],
  ])('refuses %s', (_, text, where) => {
    expect(check(text)).toEqual(expect.arrayContaining(where));
  });

  it('tells editors what every key means', () => {
    const described = (schema: { properties?: Record<string, { description?: string }> }) =>
      Object.entries(schema.properties ?? {}).filter(([, key]) => key.description === undefined);
    expect(described(published)).toEqual([]);
    expect(described(published.properties.workload)).toEqual([]);
    expect(described(published.properties.variants.additionalProperties.anyOf[0])).toEqual([]);
  });
});
