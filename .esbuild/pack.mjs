// package.json as `npm pack` puts it into the tarball. dist/ needs no package and no script: what the checkout is built and tried with, a whole
// Node.js among it, is nothing that `npx` should fetch. `pack.mjs put-back` gives the checkout its own again.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = join(dirname(dirname(fileURLToPath(import.meta.url))), 'package.json');
const kept = `${file}.checkout`;

if (process.argv[2] === 'put-back') {
  if (existsSync(kept)) renameSync(kept, file);
} else {
  // Where an earlier one was killed, what it kept is the checkout's.
  if (existsSync(kept)) renameSync(kept, file);
  const { devDependencies, optionalDependencies, overrides, scripts, imports, ...own } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  writeFileSync(kept, readFileSync(file));
  writeFileSync(file, `${JSON.stringify(own, null, 2)}\n`);
}
