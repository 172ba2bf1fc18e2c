// Class: unit.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { explainJsonSchema, findingsJsonSchema } from '../../src/findings/json-schema.ts';
import { alertJsonSchema } from '../../src/parts/fleet/alert/message.ts';

describe('the published JSON Schemas', () => {
  it.each([
    ['findings', findingsJsonSchema],
    ['explain', explainJsonSchema],
    ['alert', alertJsonSchema],
  ])('that of %s is what `npm run schemas` writes', (name, schema) => {
    const published = readFileSync(new URL(`../../docs/${name}.schema.json`, import.meta.url), 'utf8');
    expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(schema())));
  });
});
