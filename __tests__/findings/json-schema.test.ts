import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { findingsJsonSchema } from '../../src/findings/json-schema.ts';

describe('the published JSON Schema of findings', () => {
  it('is what `npm run schemas` writes', () => {
    const published = readFileSync(new URL('../../docs/findings.schema.json', import.meta.url), 'utf8');
    expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(findingsJsonSchema())));
  });
});
