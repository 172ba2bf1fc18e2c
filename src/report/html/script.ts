import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const built = new Map<PageName, string>();

/** Pages that have a program. */
export type PageName = 'report' | 'history';

/**
 * The program of a page. In the bundle it lies in `assets/`; in the source tree it is built when it is first asked for.
 * Throws when the installation is incomplete.
 */
export function readPageScript(name: PageName): string {
  const known = built.get(name);
  if (known !== undefined) return known;
  const bundled = join(here, 'assets', `${name}-page.js`);
  const builder = join(here, '..', '..', '..', '.esbuild', 'page.mjs');
  const script = existsSync(bundled) ? readFileSync(bundled, 'utf8') : build(builder, name);
  built.set(name, script);
  return script;
}

function build(builder: string, name: PageName): string {
  return execFileSync(process.execPath, [builder, name], { encoding: 'utf8', maxBuffer: 16 * 2 ** 20 });
}
