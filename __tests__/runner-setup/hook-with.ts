import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HOOKS = fileURLToPath(new URL('../../runner-setup/hooks/', import.meta.url));

/** A hook as it is installed, in this folder, but for the place of its owner's settings, which are these. Its path, by the name it has then. */
export function hookWith(folder: string, name: string, settings: string, installed = name): string {
  const conf = join(folder, 'runner.conf');
  writeFileSync(conf, settings);
  const text = readFileSync(join(HOOKS, name), 'utf8');
  const placed = text.replace(/^conf=\/etc\/joulediff\/runner\.conf$/m, `conf='${conf}'`);
  if (placed === text) throw new Error(`${name} names no settings`);
  const path = join(folder, installed);
  writeFileSync(path, placed, { mode: 0o755 });
  return path;
}
