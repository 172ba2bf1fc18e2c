import type Docker from 'dockerode';
import { withDeadline } from '../../system/deadline.ts';
import { plain } from '../../text/plain.ts';
import { PlaceLostError } from '../failures.ts';
import { lostEngine } from './docker.ts';

/** File in the container that takes the names of what `prepare` leaves running, a line each. */
export const LEFT_FILE = 'joulediff-left';

/**
 * After `prepare`, in the same shell, with nothing but what is in every shell: what else is in the container ends with the shell. A name stands in
 * parentheses, and may hold some itself; the state follows it.
 */
export const tellLeft = (folder: string): string => `joulediff_status=$?
for process in /proc/[0-9]*; do
  [ "$process" != "/proc/$$" ] && read -r line < "$process/stat" || continue
  case "\${line##*) }" in [ZX]*) continue ;; esac
  line=\${line#*(}
  echo "\${line%)*}"
done > ${folder}${LEFT_FILE} 2> /dev/null
exit $joulediff_status`;

/** A tar archive begins with a block that holds the size of its first file, in octal digits. */
const BLOCK_BYTES = 512;
const READ_MS = 20_000;
const MAX_BYTES = 1000;
const LONGEST_NAME = 20;

/** Names of processes that `prepare` left, each once; none where the engine does not give the file. Throws where the engine is gone. */
export async function namesLeft(container: Docker.Container, folder: string): Promise<readonly string[]> {
  const path = `${folder}${LEFT_FILE}`;
  try {
    const get = async (abortSignal: AbortSignal): Promise<Buffer> => {
      const options = { path, abortSignal };
      let start = Buffer.alloc(0);
      for await (const part of (await container.getArchive(options)) as AsyncIterable<Buffer>) {
        start = Buffer.concat([start, part]);
        // `prepare` may have made a file of any size; the end of this loop closes the connection.
        if (start.length >= BLOCK_BYTES + MAX_BYTES) break;
      }
      return start;
    };
    const archive = await withDeadline(get, READ_MS);
    const bytes = Number.parseInt(archive.toString('latin1', 124, 136), 8);
    const lines = archive.toString('utf8', BLOCK_BYTES, BLOCK_BYTES + Math.min(bytes, MAX_BYTES)).split('\n');
    return [...new Set(lines.map((line) => plain(line, LONGEST_NAME)).filter((name) => name !== ''))];
  } catch (thrown) {
    if (lostEngine(thrown) instanceof PlaceLostError) throw thrown;
    return [];
  }
}
