import { writeFileSync } from 'node:fs';
import { experimentJsonSchema } from '../src/experiment/json-schema.ts';
import { findingsJsonSchema } from '../src/findings/json-schema.ts';

// The published JSON Schemas, from what the program itself checks with.
for (const [name, schema] of [
  ['joulediff', experimentJsonSchema()],
  ['findings', findingsJsonSchema()],
]) {
  writeFileSync(new URL(`../docs/${name}.schema.json`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}
