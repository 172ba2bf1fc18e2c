// Holds README.md and docs/ to what can be read at once, and their examples to everything that a user may write. docs/reference/ is looked up, not read.
//   node .ci/prose.mjs
import { globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { main } from '../src/cli.ts';
import { experimentJsonSchema } from '../src/experiment/json-schema.ts';
import { meterTypes } from '../src/meters/registry.ts';

/** Of all pages that are read, half of what they had before they were rewritten: a new page needs room made on others. Answers to questions of users raised it last. */
const MAX_ALL_WORDS = 26_600;
const MAX_MEAN_WORDS = 15;
const MAX_WORDS = 30;
const MAX_LONG_SHARE = 0.04;
const MAX_CELL_WORDS = 25;
/** Lines of text in an example's README, beside its commands, outputs, pictures and headings. */
const MAX_EXAMPLE_LINES = 10;
const MAX_README = { lines: 120, words: 25 };
/** Code blocks per 1,000 words on the pages of tasks. */
const MIN_BLOCKS = 9;

/** Pages that are looked up or kept for contributors; their cells may be long where a row is a list of files or faults. */
const FOR_REFERENCE = ['architecture', 'decisions', 'development', 'error-rates', 'methodology', 'reliability'];

/** What no example shows, each with its reason. */
const WITHOUT_EXAMPLE = {
  keys: Object.fromEntries(
    ['fsize', 'locks', 'memlock', 'msgqueue', 'rss', 'rtprio', 'rttime', 'sigpending'].map((name) => [
      name,
      'a limit of setrlimit, written as nofile and core are',
    ]),
  ),
  inputs: { 'github-token': 'its default is the token of the job' },
};

const failures = [];
const fail = (what) => failures.push(what);

const wordsIn = (text) => (text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,:/_-]*/gu) ?? []).length;

/** Text as it is read: links by their words, code as one word or a few. */
const readable = (text) =>
  text
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`]*`/g, (code) =>
      code.split(/\s+/).length > 3 ? 'code' : code.slice(1, -1).replaceAll(/[.!?:]/g, '_'),
    );

function measured(path) {
  const source = readFileSync(path, 'utf8');
  const blocks = (source.match(/^ *```\w/gm) ?? []).length;
  const text = source
    .replaceAll(/^ *```[^\n]*\n[\s\S]*?^ *```$/gm, '\n\n')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^>.*$/gm, '')
    .replace(/^## Sources[\s\S]*/m, '');
  const cells = [];
  const paragraphs = [[]];
  for (const line of text.split('\n')) {
    if (/^\s*\|/.test(line)) {
      if (!/^\s*\|[\s:|-]+\|$/.test(line)) {
        cells.push(
          ...line
            .trim()
            .slice(1, -1)
            .split(/(?<!\\)\|/),
        );
      }
      paragraphs.push([]);
    } else if (/^\s*$|^#/.test(line)) paragraphs.push([]);
    else {
      if (/^\s*(?:[-*]|\d+\.)\s/.test(line)) paragraphs.push([]);
      paragraphs.at(-1).push(line.replace(/^\s*(?:[-*]|\d+\.)\s/, ''));
    }
  }
  const sentences = paragraphs
    .flatMap((lines) => readable(lines.join(' ')).split(/(?<=[.!?][)"”’*]*)\s+(?=[*]*[\p{L}\p{N}"“(`-])/u))
    .map((sentence) => ({ sentence, words: wordsIn(sentence) }))
    .filter(({ words }) => words > 0);
  const longCells = cells.map((cell) => readable(cell)).filter((cell) => wordsIn(cell) > MAX_CELL_WORDS);
  return { path, source, blocks, words: wordsIn(readable(text)), sentences, longCells };
}

const pages = ['README.md', ...globSync('docs/*.md')].map(measured);
const isForReference = ({ path }) => FOR_REFERENCE.some((name) => path === `docs/${name}.md`);
const all = pages.flatMap(({ sentences }) => sentences);
const mean = all.reduce((sum, { words }) => sum + words, 0) / all.length;
const total = pages.reduce((sum, { words }) => sum + words, 0);
if (total > MAX_ALL_WORDS) fail(`the pages have ${total} words, more than ${MAX_ALL_WORDS}`);
const long = all.filter(({ words }) => words > MAX_WORDS);
if (mean > MAX_MEAN_WORDS) fail(`a sentence has ${mean.toFixed(1)} words on average, more than ${MAX_MEAN_WORDS}`);
if (long.length / all.length > MAX_LONG_SHARE) {
  fail(
    `${long.length} of ${all.length} sentences have more than ${MAX_WORDS} words:\n${long.map(({ sentence }) => `    ${sentence}`).join('\n')}`,
  );
}
for (const page of pages.filter((one) => !isForReference(one))) {
  for (const cell of page.longCells) fail(`${page.path}: a cell of more than ${MAX_CELL_WORDS} words: ${cell.trim()}`);
}
const [readme] = pages;
if (readme.source.split('\n').length > MAX_README.lines + 1) fail(`README.md has more than ${MAX_README.lines} lines`);
for (const { sentence, words } of readme.sentences)
  if (words > MAX_README.words) fail(`README.md: ${words} words: ${sentence}`);
const tasks = pages.filter((page) => page !== readme && !isForReference(page));
const perThousand =
  (1000 * tasks.reduce((sum, { blocks }) => sum + blocks, 0)) / tasks.reduce((sum, { words }) => sum + words, 0);
if (perThousand < MIN_BLOCKS) {
  fail(`the pages of tasks have ${perThousand.toFixed(1)} blocks of code per 1,000 words, fewer than ${MIN_BLOCKS}`);
}

for (const path of globSync('examples/*/README.md')) {
  const text = readFileSync(path, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  const lines = text.split('\n').filter((line) => /^[^#!\s]/.test(line)).length;
  if (lines > MAX_EXAMPLE_LINES) fail(`${path} has ${lines} lines of text, more than ${MAX_EXAMPLE_LINES}`);
}

// What a user may write, and where it is shown.
const examples = [
  ...pages.flatMap(({ source }) =>
    [...source.matchAll(/^ *```(?:yaml|sh)\n([\s\S]*?)^ *```$/gm)].map(([, code]) => code),
  ),
  ...globSync('examples/**/*.{yml,sh,md}').map((path) => readFileSync(path, 'utf8')),
].join('\n');

function keysOf(schema, definitions, found = new Set()) {
  if (typeof schema !== 'object' || schema === null) return found;
  if (schema.$ref !== undefined) return found;
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    found.add(name);
    keysOf(inner, definitions, found);
  }
  for (const inner of [
    schema.additionalProperties,
    schema.items,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ].flat()) {
    keysOf(inner, definitions, found);
  }
  return found;
}
const shows = (word) => new RegExp(`(?<![\\w-])${word.replaceAll('-', '\\-')}(?![\\w-])`).test(examples);
function expectShown(kind, names, known) {
  const missing = names.filter((name) => !shows(name) && !Object.hasOwn(known, name));
  if (missing.length > 0) fail(`${kind} that no example shows: ${missing.join(', ')}`);
  const shown = Object.keys(known).filter((name) => shows(name) || !names.includes(name));
  if (shown.length > 0) fail(`${kind} that an example shows by now, or that are gone: ${shown.join(', ')}`);
}
const schema = experimentJsonSchema();
expectShown('keys', [...keysOf(schema, schema.definitions)], WITHOUT_EXAMPLE.keys);
expectShown('inputs', Object.keys(parse(readFileSync('action.yml', 'utf8')).inputs), WITHOUT_EXAMPLE.inputs);
expectShown(
  'meters',
  meterTypes.map(({ type }) => type),
  {},
);
let help = '';
await main(['--help'], { stdout: { write: (text) => (help += text) }, stderr: { write: () => true } });
const commands = [...help.matchAll(/^ {2}([a-z]+(?: [a-z]+)?)(?= |$)/gm)].map(([, name]) => name.trim());
expectShown(
  'commands',
  commands.map((name) => `joulediff ${name}`),
  {},
);

if (failures.length === 0) {
  console.log(
    `✔ ${pages.length} pages of ${total} words, ${mean.toFixed(1)} words a sentence, ${((100 * long.length) / all.length).toFixed(1)} % over ${MAX_WORDS}, ${perThousand.toFixed(1)} blocks of code per 1,000 words of tasks`,
  );
} else {
  for (const failure of failures) console.log(`✘ ${failure}`);
  process.exitCode = 1;
}
