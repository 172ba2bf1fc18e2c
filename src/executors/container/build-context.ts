import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import dockerIgnore from '@balena/dockerignore';
import tar from 'tar-fs';
import { InputError } from '../../errors.ts';

export interface BuildContext {
  /** The context as a tar archive. */
  readonly archive: NodeJS.ReadableStream;
  /** Path of the Dockerfile in the archive. */
  readonly dockerfile: string;
}

/** Name in the archive of a Dockerfile from outside of the context. */
const OUTSIDE = '.joulediff.Dockerfile';

/**
 * Patterns before those of every .dockerignore: the history of a repository may hold credentials, and changes an image with every commit; a result
 * changes it with every measurement. A line `!.git` or `!joulediff-out` brings them back.
 */
const ALWAYS_IGNORED = '.git\n**/.git\njoulediff-out\n**/joulediff-out\n';

/**
 * Packs a build context as `docker build` would, but without .git and joulediff-out: without what .dockerignore names (`NAME.dockerignore` beside the
 * Dockerfile goes before the context's own), files owned by root, and with a Dockerfile that may be outside.
 * The Dockerfile itself is always in it, even if ignored: the engine reads it from there. Pipes and devices are left out and given to `onLeftOut`: an
 * engine's BuildKit, which takes the archive, makes empty files of devices and drops pipes.
 */
export function packContext(
  context: string,
  dockerfilePath: string,
  onLeftOut: (paths: readonly string[]) => void,
): BuildContext {
  const dockerfile = resolve(context, dockerfilePath);
  const inside = relative(context, dockerfile);
  const isOutside = inside.startsWith('..') || isAbsolute(inside);
  const isIgnored = readIgnoreRules(context, dockerfile, inside);
  const special: string[] = [];
  const isLeft = (path: string): boolean => {
    if (isIgnored(path)) return true;
    const found = lstatSync(path, { throwIfNoEntry: false });
    const isSpecial = found !== undefined && (found.isFIFO() || found.isCharacterDevice() || found.isBlockDevice());
    if (isSpecial) special.push(relative(context, path));
    return isSpecial;
  };
  // Modes are kept, whatever this process's umask is (an option that the types don't know).
  const options: Omit<tar.PackOptions, 'mapStream'> & { umask: number; mapStream: typeof wholeFile } = {
    umask: 0,
    ignore: isLeft,
    mapStream: wholeFile,
    map: (header) => ({ ...header, uid: 0, gid: 0 }),
    finalize: false,
    finish: (pack) => {
      if (isOutside) pack.entry({ name: OUTSIDE }, readBuildText(dockerfile));
      if (special.length > 0) onLeftOut(special);
      pack.finalize();
    },
  };
  const archive = tar.pack(context, options as unknown as tar.PackOptions) as unknown as NodeJS.ReadableStream;
  return { archive, dockerfile: isOutside ? OUTSIDE : inside };
}

/** Throws for a file that became smaller while it was packed, which leaves a hole in the archive: the packer's own error has no path. */
function wholeFile(stream: NodeJS.ReadableStream, header: tar.Headers): NodeJS.ReadableStream {
  const whole = new PassThrough();
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  stream.on('error', (error) => whole.destroy(error));
  stream.on('end', () => {
    if (bytes < (header.size ?? 0)) {
      whole.destroy(new InputError(`The file ${header.name} in the build context changed while it was packed.`));
    } else whole.end();
  });
  stream.pipe(whole, { end: false });
  return whole;
}

/** Upper bound on the size of a Dockerfile or .dockerignore. */
const MAX_TEXT_BYTES = 4 << 20;

/** Content of a Dockerfile or .dockerignore. Throws InputError for a pipe or a device, which would be read without end, and for a huge file. */
export function readBuildText(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile())
      throw new InputError(`${path} is no regular file.`, { advice: 'Put a file there, or remove it.' });
    if (found.size > MAX_TEXT_BYTES)
      throw new InputError(`${path} has ${found.size} bytes, which is too much to read.`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function readIgnoreRules(context: string, dockerfile: string, inside: string): (path: string) => boolean {
  const file = [`${dockerfile}.dockerignore`, join(context, '.dockerignore')].find(
    (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
  );
  const patterns = ALWAYS_IGNORED + (file === undefined ? '' : readBuildText(file));
  const ignore = dockerIgnore.default({ ignorecase: false }).add(patterns);
  const exceptions = [...patterns.matchAll(/^\s*!\s*(?:\.?\/)*(.*?)\/*\s*$/gm)].map(([, path = '']) => `${path}/`);
  const known = new Map<string, boolean>();
  /** Whether an exception leaves anything of an ignored folder: one with its name, or one with a wildcard, which may match anywhere. */
  const isEmptied = (path: string): boolean => {
    const below = `${relative(context, path)}/`;
    const emptied =
      known.get(path) ??
      !(
        exceptions.some((one) => one.startsWith(below) || /[*?[]/.test(one)) &&
        lstatSync(path, { throwIfNoEntry: false })?.isDirectory() &&
        namesIn(path).some((name) => !isLeftOut(join(path, name)))
      );
    known.set(path, emptied);
    return emptied;
  };
  const isLeftOut = (path: string): boolean => {
    const name = relative(context, path);
    if (name === '' || name === inside || inside.startsWith(`${name}/`)) return false;
    return ignore.ignores(name) && isEmptied(path);
  };
  return isLeftOut;
}

/** Names in an ignored folder; none where it can't be read, which is no reason to fail. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
