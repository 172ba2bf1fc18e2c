import { writeFileSync } from 'node:fs';
import { experimentJsonSchema } from '../src/experiment/json-schema.ts';
import { explainJsonSchema, findingsJsonSchema, terminalJsonSchema } from '../src/findings/json-schema.ts';
import { alertJsonSchema } from '../src/parts/fleet/alert/message.ts';
import { referencePages } from './reference.mjs';

// The published JSON Schemas, from what the program itself checks with.
for (const [name, schema] of [
  ['joulediff', experimentJsonSchema()],
  ['findings', findingsJsonSchema()],
  ['explain', explainJsonSchema()],
  ['terminal', terminalJsonSchema()],
  ['alert', alertJsonSchema()],
]) {
  writeFileSync(new URL(`../docs/${name}.schema.json`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}

for (const [name, text] of Object.entries(await referencePages())) {
  writeFileSync(new URL(`../docs/reference/${name}.md`, import.meta.url), text);
}
