import { readFileSync, writeFileSync } from 'node:fs';
import { experimentJsonSchema } from '../src/experiment/json-schema.ts';
import { explainJsonSchema, findingsJsonSchema, terminalJsonSchema } from '../src/findings/json-schema.ts';
import { meterTypes } from '../src/meters/registry.ts';
import { alertJsonSchema } from '../src/parts/fleet/alert/message.ts';
import { withMeterTables } from '../src/report/meters-page.ts';
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

// The tables of the page of meters, from what their types say of themselves.
const meters = new URL('../docs/meters.md', import.meta.url);
writeFileSync(meters, withMeterTables(readFileSync(meters, 'utf8'), meterTypes));

for (const [name, text] of Object.entries(await referencePages())) {
  writeFileSync(new URL(`../docs/reference/${name}.md`, import.meta.url), text);
}
