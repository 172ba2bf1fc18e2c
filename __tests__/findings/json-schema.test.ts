// Class: unit.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { explainJsonSchema, findingsJsonSchema } from '../../src/findings/json-schema.ts';

describe('the published JSON Schemas', () => {
  it.each([
    ['findings', findingsJsonSchema],
    ['explain', explainJsonSchema],
  ])('that of %s is what `npm run schemas` writes', (name, schema) => {
    const published = readFileSync(new URL(`../../docs/${name}.schema.json`, import.meta.url), 'utf8');
    expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(schema())));
  });
});
