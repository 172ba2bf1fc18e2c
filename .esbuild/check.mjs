// Is dist/ what the source builds? Builds into a temporary folder and compares byte for byte.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function differenceOf(committed, built) {
  const [before, after] = await Promise.all([committed, built].map((file) => readFile(file).catch(() => null)));
  if (before === null) {
    return 'is missing in dist/';
  }
  if (after === null) {
    return 'is not built by the source';
  }
  if (!before.equals(after)) {
    return `differs (${before.length} bytes in dist/, ${after.length} built)`;
  }
  const executable = async (file) => ((await stat(file)).mode & 0o111) !== 0;
  return (await executable(committed)) === (await executable(built)) ? null : 'differs in its executable bit';
}

const temporary = await mkdtemp(join(tmpdir(), 'joulediff-dist-'));
try {
  execFileSync(process.execPath, [join(root, 'esbuild.config.mjs'), temporary], { stdio: 'inherit' });
  const names = new Set([...(await filesOf(join(root, 'dist'))), ...(await filesOf(temporary))]);
  let differences = 0;
  for (const name of [...names].sort()) {
    const difference = await differenceOf(join(root, 'dist', name), join(temporary, name));
    if (difference !== null) {
      console.error(`dist/${name} ${difference}`);
      differences += 1;
    }
  }
  if (differences > 0) {
    console.error('dist/ is not what the source builds. Run `npm ci && npm run build` and commit dist/.');
    process.exitCode = 1;
  } else {
    console.log(`dist/ is what the source builds (${names.size} files).`);
  }
} finally {
  await rm(temporary, { recursive: true, force: true });
}
