import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { InputError, MeasureError, withoutFullStop } from '../../errors.ts';
import { refuseHome, sentFolder } from '../../hosts/host.ts';
import { Helper } from '../../processes/helper.ts';
import { plain } from '../../text/plain.ts';
import { GUEST_FOLDER } from './agent.ts';
import { imageFiles } from './image.ts';
import type { VmVariant } from './variant.ts';

/** Exit code of GNU tar: a file changed or vanished while it was read. */
const TAR_CHANGED = 1;
/** Upper bound on the files, the same as over ssh, since a drive is made for every run. */
const MAX_BYTES = 4 * 2 ** 30;
/** Unit of a shell's limit of file size (POSIX). */
const BLOCK_BYTES = 512;

/** Path in a guest for one of this machine: in the guest's copy of the repository around `directory`; any other path stays the same. */
export function pathInGuest(path: string, directory: string): string {
  const within = relative(sentFolder(directory), path);
  return isOutside(within) ? path : join(GUEST_FOLDER, 'files', within);
}

/**
 * Makes the drive that carries the files of a folder: an archive, without the guest's own disk (and what that is based on), kernel and initial RAM
 * disk, which may lie there, and without earlier results. Throws InputError for a home folder and for too much, MeasureError, or the signal's reason.
 */
export async function makeDrive(
  drive: string,
  { directory, variant, signal }: { directory: string; variant: VmVariant; signal: AbortSignal },
  mostBytes = MAX_BYTES,
): Promise<void> {
  const root = sentFolder(directory);
  refuseHome(root, 'a guest');
  const disk = variant.image === null ? [] : imageFiles(variant.image, variant.name).map(({ path }) => path);
  // Each is left out under the name that was given and under its real one: the folder and the files may be reached through symbolic links.
  const own = [...disk, variant.kernel, variant.initrd]
    .flatMap((path) => (path === null ? [] : [relative(root, path), relative(realpathSync(root), realpathSync(path))]))
    .filter((path) => !isOutside(path));
  const without = ['--anchored', '--no-wildcards', ...own.map((path) => `--exclude=./${path}`)];
  const args = ['-C', root, '--exclude=.git', '--exclude-tag-all=experiment.db', ...without];
  const owners = ['--owner=0', '--group=0', '--numeric-owner'];
  // The kernel ends a tar that writes more, without a core dump; a lower limit that holds already stays.
  const script = 'ulimit -c 0; (ulimit -f "$0") 2>/dev/null && ulimit -f "$0"; exec tar "$@"';
  const limited = ['-c', script, String(Math.floor(mostBytes / BLOCK_BYTES))];
  const helper = new Helper('tar');
  const tar = helper.born(
    () =>
      spawn('sh', [...limited, ...args, ...owners, '-cf', drive, '.'], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: helper.marked(process.env),
        signal,
      }),
    (late) => late.kill('SIGKILL'),
  );
  const said = buffer(tar.stderr);
  said.catch(() => {});
  try {
    const [code, by] = await once(tar, 'close').catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new MeasureError('The files for a guest could not be put together: tar can’t be run.', { cause });
    });
    if (by === 'SIGXFSZ') {
      throw new InputError(
        `${root} holds more than ${mostBytes / 2 ** 30} GiB, which is too much for the drive of a guest.`,
        { advice: 'Keep what the workload does not need, such as the disks of other guests, outside of it.' },
      );
    }
    if (code === 0 || code === TAR_CHANGED) return;
    const why = withoutFullStop(helper.reached() ?? plain((await said).toString().trim().split('\n')[0] ?? '', 300));
    throw new MeasureError(`The files of ${root} could not be put together for a guest: ${why}.`);
  } finally {
    await helper.end();
  }
}

const isOutside = (path: string): boolean => path === '..' || path.startsWith(`..${sep}`);
