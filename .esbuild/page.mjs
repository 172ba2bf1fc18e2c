// Builds the programs of the pages: each one script for a browser, chart.js inside. Run as a program, it writes one to stdout:
//   node .esbuild/page.mjs report|history
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Entry points by the name of their page. */
export const pages = { report: 'src/parts/page.ts', history: 'src/parts/fleet/history/page/browser/main.ts' };

const CORE = "import { showPage } from './src/report/page/page.ts';\nshowPage([]);\n";

/** { code, inputs }: the script of a page, safe inside a script element, and the files that it was made from. `onlyCore`: the report's without the optional parts. */
export async function buildPage(root, name, onlyCore = false) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    ...(onlyCore && name === 'report'
      ? { stdin: { contents: CORE, resolveDir: root } }
      : { entryPoints: [pages[name]] }),
    bundle: true,
    write: false,
    platform: 'browser',
    target: ['chrome120', 'firefox120', 'safari17'],
    format: 'iife',
    inject: [join(root, '.esbuild', 'buffer.js')],
    // Every report carries it.
    minify: true,
    // The notices of chart.js and its parts stay, as their license asks.
    legalComments: 'eof',
    metafile: true,
    logLevel: 'warning',
    outdir: 'out',
  });
  // csv-stringify has control characters in its strings.
  const code = outputFiles[0].text
    .trim()
    .replace(/[^\n\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (/<\/script|<!--/i.test(code)) {
    throw new Error('the script of the page holds what a script element cannot: </script or <!--');
  }
  const inputs = Object.entries(metafile.outputs).flatMap(([, output]) => Object.keys(output.inputs));
  return { code, inputs };
}

if (import.meta.main) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  process.stdout.write((await buildPage(root, process.argv[2])).code);
}
