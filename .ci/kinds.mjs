// Nothing outside of src/executors/ asks which kind of place a variant is of: what is particular to one stands in its descriptor (executors/kind.ts).
//   node .ci/kinds.mjs
import { globSync, readFileSync } from 'node:fs';

const QUESTION = /\bkind\s*[!=]==\s*'(?:native|container|compose|vm)'/;

const found = globSync('src/**/*.ts').flatMap((path) =>
  path.startsWith('src/executors/')
    ? []
    : readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, at) => (QUESTION.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
);
for (const line of found) console.log(`✘ asks which kind of place a variant is of: ${line}`);
if (found.length > 0) process.exitCode = 1;
