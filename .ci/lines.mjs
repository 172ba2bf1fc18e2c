// The budget of lines, which is raised on purpose: the core is what stands in src/ outside of src/parts/.
//   node .ci/lines.mjs
import { globSync, readFileSync } from 'node:fs';

const BUDGET = { core: 87_420, all: 110_490 };

const lines = { core: 0, all: 0 };
for (const path of globSync('src/**/*.{ts,py}')) {
  const own = readFileSync(path, 'utf8').split('\n').length - 1;
  lines.all += own;
  if (!path.startsWith('src/parts/')) lines.core += own;
}
for (const [name, most] of Object.entries(BUDGET)) {
  const isWithin = lines[name] <= most;
  console.log(`${isWithin ? '✔' : '✘'} ${name}: ${lines[name]} of ${most} lines`);
  if (!isWithin) {
    console.log(
      'Look for what can go first. Where it has earned its lines, raise the budget in .ci/lines.mjs, and say why.',
    );
    process.exitCode = 1;
  }
}
