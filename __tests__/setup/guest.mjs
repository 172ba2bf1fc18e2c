// A small guest for virtual machines: Debian's kernel and the drivers of its disk, taken out of its package, which is not installed.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { find, output, run, SetupError, say } from '../../runner-setup/command.mjs';
import { ensurePackages } from '../../runner-setup/packages.mjs';

const cache = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'joulediff');

const PREFIX = 'guest-linux-image-';

/** Folder with boot/ and lib/modules/ of the newest that is here; null: none is. */
export function builtGuest() {
  const names = readdirSync(cache(), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && entry.name.startsWith(PREFIX) ? [entry.name] : [],
  );
  const newest = names.sort().at(-1);
  return newest === undefined ? null : join(cache(), newest);
}

/** The same, fetched where there is none. Throws SetupError where it can't be had. */
export async function ensureGuest({ signal } = {}) {
  mkdirSync(cache(), { recursive: true });
  const built = builtGuest();
  await ensurePackages(['qemu-system-x86'], { signal });
  if (built !== null) {
    return built;
  }
  if (find('apt-get') === null || process.arch !== 'x64') {
    throw new SetupError('A guest is made of Debian’s packages for x86-64, and this is another system.');
  }
  const depends = output('apt-cache', ['depends', 'linux-image-cloud-amd64']) ?? '';
  const name = /linux-image-[\w.+-]+-cloud-amd64/.exec(depends.split('\n').slice(1).join('\n'))?.[0];
  if (name === undefined) {
    throw new SetupError('There is no package linux-image-cloud-amd64 to make a guest of.');
  }
  say(`fetching ${name} for a guest (apt-get, 27 MB)`);
  const scratch = mkdtempSync(join(cache(), 'fetching-guest-'));
  try {
    const fetch = 'cd "$1" && apt-get download "$2" && dpkg -x ./*.deb tree';
    await run('sh', ['-c', fetch, 'sh', scratch, name], { signal, seconds: 180 });
    renameSync(join(scratch, 'tree'), join(cache(), `guest-${name}`));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return builtGuest();
}
