import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Locates the fonts and the renderer for pictures.
 * In the bundle they are in `assets/`; in the source tree, the fonts are beside this file and the renderer is in its package.
 */
const here = import.meta.dirname;

function read(name: string, inSources: () => string): Uint8Array {
  const bundled = join(here, 'assets', name);
  return readFileSync(existsSync(bundled) ? bundled : inSources());
}

/** Bytes of DejaVu Sans (a subset, see fonts/make-fonts.sh). Throws when the installation is incomplete. */
export function readFont(weight: 'regular' | 'bold'): Uint8Array {
  const name = weight === 'bold' ? 'DejaVuSans-Bold.ttf' : 'DejaVuSans.ttf';
  return read(name, () => join(here, 'fonts', name));
}

/** Bytes of resvg's WebAssembly module. Throws when the installation is incomplete. */
export function readRenderer(): Uint8Array {
  return read('resvg.wasm', () => createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm'));
}
