// The reference pages of docs/reference/, from what the program itself checks with: schemas, action.yml, and the help of its commands.
// Run as a program, it prints them as JSON, by their names.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { main } from '../src/cli.ts';
import { experimentJsonSchema } from '../src/experiment/json-schema.ts';
import { findingsJsonSchema } from '../src/findings/json-schema.ts';
import { meterTypes } from '../src/meters/registry.ts';
import { meterTables } from '../src/report/meters-page.ts';

const NOTE = '<!-- Made by `npm run schemas`. Change the source, not this page. -->\n';

/** Text that Markdown would take for its own signs, outside of code. */
const plain = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[*_<>|]/g, '\\$&')))
    .join('');

const shown = (value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** The objects that a schema allows, its references followed: [what a key is called, its schema]. */
function keysOf(schema, definitions) {
  if (typeof schema !== 'object' || schema === null) return [];
  if (schema.$ref !== undefined) return keysOf(definitions[schema.$ref.split('/').at(-1)], definitions);
  const own = Object.entries(schema.properties ?? {});
  const { additionalProperties: named, items } = schema;
  const ofNames = typeof named === 'object' && named !== null ? [['NAME', named]] : [];
  const ofItems = items !== undefined && !Array.isArray(items) ? keysOf(items, definitions) : [];
  const alternatives = (schema.anyOf ?? schema.oneOf ?? []).flatMap((one) => keysOf(one, definitions));
  const all = Map.groupBy([...own, ...ofNames, ...ofItems, ...alternatives], ([key]) => key);
  // A key of several alternatives may have any of their values; of more than three with keys of their own, the schema is easier to read.
  return [...all].map(([key, found]) => {
    const schemas = [...new Map(found.map(([, one]) => [JSON.stringify(one), one])).values()];
    if (schemas.length === 1) return [key, schemas[0]];
    const isLong = schemas.length > 3 && schemas.some((one) => keysOf(one, definitions).length > 0);
    return [key, isLong ? { description: 'see the schema' } : { anyOf: schemas }];
  });
}

/** Values that are written as they are, such as `always`. */
function valuesOf(schema, definitions) {
  if (typeof schema !== 'object' || schema === null) return [];
  if (schema.$ref !== undefined) return valuesOf(definitions[schema.$ref.split('/').at(-1)], definitions);
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap((one) => valuesOf(one, definitions));
}

function keyLine(name, { $ref, ...own }, definitions) {
  const named = { ...definitions[$ref?.split('/').at(-1)], ...own };
  // What may be null is described by what it is otherwise.
  const [other, ...more] = (named.anyOf ?? []).filter(({ type }) => type !== 'null');
  const described = more.length === 0 ? (definitions[other?.$ref?.split('/').at(-1)] ?? other)?.description : undefined;
  const schema = { ...(described && { description: described }), ...named };
  const values = [...new Set(valuesOf(schema, definitions))].filter(
    (value) => value !== null && typeof value !== 'object',
  );
  const isEmpty = (value) => value === null || JSON.stringify(value) === '{}' || JSON.stringify(value) === '[]';
  const said = [
    schema.description === undefined ? '' : plain(schema.description).replace(/(?<!\.)$/, values.length > 0 ? '.' : ''),
    values.length === 0 || values.length > 12 ? '' : `Values: ${values.map(shown).join(', ')}.`,
    schema.default === undefined || isEmpty(schema.default) ? '' : `Default: ${shown(schema.default)}.`,
  ].filter(Boolean);
  return `\`${name}\`${said.length === 0 ? '' : `: ${said.join(' ')}`}`;
}

/** Lists of keys within keys. Keys that are listed already, by `listed` from their names to their place, are not listed again. */
function keyList(schema, definitions, place, listed, indent = '') {
  const keys = keysOf(schema, definitions);
  if (keys.length === 0) return [];
  const names = JSON.stringify(keys);
  const known = listed.get(names);
  if (known !== undefined && keys.length > 1) return [`${indent}- keys as under \`${known}\``];
  listed.set(names, place);
  return keys.flatMap(([name, inner]) => [
    `${indent}- ${keyLine(name, inner, definitions)}`,
    ...keyList(inner, definitions, `${place}.${name}`, listed, `${indent}  `),
  ]);
}

function schemaPage(title, introduction, { properties, $defs = {}, definitions = $defs }) {
  const listed = new Map();
  const sections = Object.entries(properties).map(([name, schema]) => {
    const own = keyLine(name, schema, definitions).replace(/^`[^`]*`:? ?/, '');
    const list = keyList(schema, definitions, name, listed);
    return `\n## ${name}\n${own === '' ? '' : `${own}\n`}${list.length === 0 ? '' : `\n${list.join('\n')}\n`}`;
  });
  return `# ${title}\n${NOTE}\n${introduction}\n${sections.join('')}`;
}

function actionPage() {
  const { inputs, outputs } = parse(readFileSync(new URL('../action.yml', import.meta.url), 'utf8'));
  const lines = (given) =>
    Object.entries(given).map(([name, { description, default: value, required }]) => {
      const ends = value === undefined || value === '' ? '' : ` Default: ${shown(value)}.`;
      return `- \`${name}\`: ${plain(description.trim().replaceAll(/\s+/g, ' '))}${required ? ' Required.' : ''}${ends}`;
    });
  return `# The action's inputs and outputs
${NOTE}
How to use them: [Measure a pull request](../pull-requests.md).

## Inputs
${lines(inputs).join('\n')}

## Outputs
The numbers describe the first comparison, variant minus baseline. An output without a value is empty.

${lines(outputs).join('\n')}
`;
}

async function helpOf(words) {
  let text = '';
  const stream = { write: (part) => (text += part) };
  await main([...words, '--help'], { stdout: stream, stderr: stream });
  return text.trimEnd();
}

/** The commands of the help: two words for those of a group. */
const commandsIn = (help) =>
  [...help.matchAll(/^ {2}([a-z]+(?: [a-z]+)?)(?= |$)/gm)].map(([, name]) =>
    name.split(' ').filter((word) => !/[A-Z[]/.test(word)),
  );

async function terminalPage() {
  const all = await helpOf([]);
  const sections = [];
  for (const words of commandsIn(all)) {
    sections.push(`\n## ${words.join(' ')}\n\`\`\`text\n${await helpOf(words)}\n\`\`\`\n`);
  }
  return `# Terminal commands
${NOTE}
\`\`\`text
${all}
\`\`\`

| exit code | |
|---|---|
| 0 | success; of \`bisect\`: found, not found yet, or no change |
| 1 | a threshold was crossed, or doctor found a failure |
| 2 | invalid input; nothing was started |
| 3 | the measurement failed; what was measured is kept |
| 4 | a bug |
| 128+N | stopped by signal N, after cleaning up |
${sections.join('')}`;
}

/** The pages by their names. */
export async function referencePages() {
  return {
    'joulediff-yml': schemaPage(
      'joulediff.yml',
      `All keys of an experiment file. An unknown key is an error that suggests the closest one. Editors complete the keys with
[joulediff.schema.json](../joulediff.schema.json). Times are written \`500ms\`, \`20s\`, \`10min\` or \`2h\`; \`NAME\` stands for a name that you choose.`,
      experimentJsonSchema(),
    ),
    findings: schemaPage(
      'findings.json',
      `All facts of a result. The schema is [findings.schema.json](../findings.schema.json); \`NAME\` stands for a name from the experiment. What is
unknown is null. How to read them: [Read a report](../read-a-report.md).`,
      findingsJsonSchema(),
    ),
    action: actionPage(),
    meters: `# Every meter
${NOTE}
How to choose, name and connect one: [Choose a meter](../meters.md).

10, 30 and 120 s: the smallest change that 80 of 100 experiments find with runs that long. *Too short*: fewer than 10 readings in a run. *From*: the smallest load that the meter can measure.

- Assumed: 30 blocks, 40 W idle, 80 W at work, ± 0.5 W from second to second, 20 s of rest. The workload's scatter comes on top.
- Class errors cancel in percentages, not in joules. Prices include adapters.

${meterTables(meterTypes)}

Sources: Watts Up? manual rev. 9, PZEM-004T v3 manual, EN 50470 class 1 (Eastron), Microchip DS20005473 and DS20005393. Smallest loads: also what users of Shelly and Tasmota plugs saw. Tasmota: the owner's [calibration](https://tasmota.github.io/docs/Power-Monitoring-Calibration/).
`,
    terminal: await terminalPage(),
  };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await referencePages()));
