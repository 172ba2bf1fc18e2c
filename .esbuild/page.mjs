// Builds the program of report.html: one script for a browser, chart.js inside. Run as a program, it writes it to stdout.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** { code, inputs }: the script, safe inside a script element, and the files that it was made from. */
export async function buildPage(root) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/report/page/main.ts'],
    bundle: true,
    write: false,
    platform: 'browser',
    target: ['chrome120', 'firefox120', 'safari17'],
    format: 'iife',
    // Every report carries it.
    minify: true,
    // The notices of chart.js and its parts stay, as their licence asks.
    legalComments: 'eof',
    metafile: true,
    logLevel: 'warning',
    outdir: 'out',
  });
  const code = outputFiles[0].text.trim();
  if (/<\/script|<!--|[^\n\x20-\x7e]/i.test(code)) {
    throw new Error(
      'the script of the page holds what a script element cannot: </script, <!-- or a character beyond ASCII',
    );
  }
  const inputs = Object.entries(metafile.outputs).flatMap(([, output]) => Object.keys(output.inputs));
  return { code, inputs };
}

if (import.meta.main) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  process.stdout.write((await buildPage(root)).code);
}
