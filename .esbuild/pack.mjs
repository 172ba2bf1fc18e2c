// Prepares package.json for the tarball of `npm run package`: without the packages and scripts that the checkout is built and tested with, because
// dist/ needs none and `npx` would fetch a whole Node.js. `pack.mjs put-back` restores the checkout's own. A bare `npm pack` skips this file, since
// .npmrc forbids all scripts that are not asked for.
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
