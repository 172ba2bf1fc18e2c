// Builds dist/: what the action and the terminal program run, without node_modules, on linux-x64 and linux-arm64.
// Not minified, because people read it; the same bytes wherever it is built.
//   node esbuild.config.mjs [OUTDIR [--core]]     --core: without the optional parts
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { assets } from './.esbuild/assets.mjs';
import { collectLicenses } from './.esbuild/licenses.mjs';
import { nativeAddons, nativePlugin } from './.esbuild/native.mjs';
import { buildPage, pages } from './.esbuild/page.mjs';
import { entries, entryPlugin, shims } from './.esbuild/parts.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(root, 'dist'));

/**
 * What esbuild leaves as it is in comments, regular expressions and tagged templates: one such character, and each start reads a text of twice the size.
 */
const inAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const onlyCore = process.argv[3] === '--core';

const result = await build({
  absWorkingDir: root,
  entryPoints: entries,
  outdir: out,
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  // CommonJS has no import.meta: its three words are made from what CommonJS has instead.
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  define: {
    'import.meta.url': 'importMetaUrl',
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
  plugins: [entryPlugin(root, onlyCore), nativePlugin()],
}).catch(() => process.exit(1)); // esbuild has said what is wrong

const programs = await Promise.all(
  Object.keys(pages).map(async (name) => ({
    name,
    ...(await buildPage(root, name, onlyCore).catch(() => process.exit(1))),
  })),
);

// Only now, so that a build that fails leaves dist/ as it was.
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
for (const { path, text } of result.outputFiles) {
  await writeFile(path, inAscii(text));
}

const files = [...nativeAddons, ...assets];
for (const [from, to] of files) {
  await mkdir(dirname(join(out, to)), { recursive: true });
  await copyFile(join(root, from), join(out, to));
  await chmod(join(out, to), 0o644);
}
for (const [name, text] of Object.entries(shims)) {
  await writeFile(join(out, name), text);
}
for (const { name, code } of programs) await writeFile(join(out, 'assets', `${name}-page.js`), code);
await chmod(join(out, 'cli.js'), 0o755);
await writeFile(join(out, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`);

const bundled = Object.values(result.metafile.outputs).flatMap(({ inputs }) =>
  Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0),
);
await writeFile(
  join(out, 'licenses.txt'),
  await collectLicenses(root, [
    ...bundled,
    ...programs.flatMap(({ inputs }) => inputs),
    ...files.map(([from]) => from),
  ]),
);
