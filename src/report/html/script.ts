import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
let built: string | null = null;

/**
 * The program of the page. In the bundle it lies in `assets/`; in the source tree it is built when it is first asked for.
 * Throws when the installation is incomplete.
 */
export function readPageScript(): string {
  const bundled = join(here, 'assets', 'report-page.js');
  built ??= existsSync(bundled)
    ? readFileSync(bundled, 'utf8')
    : build(join(here, '..', '..', '..', '.esbuild', 'page.mjs'));
  return built;
}

function build(builder: string): string {
  return execFileSync(process.execPath, [builder], { encoding: 'utf8', maxBuffer: 16 * 2 ** 20 });
}
