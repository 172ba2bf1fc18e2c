import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import dockerIgnore from '@balena/dockerignore';
import tar from 'tar-fs';

export interface BuildContext {
  /** The context as a tar archive. */
  readonly archive: NodeJS.ReadableStream;
  /** Path of the Dockerfile in the archive. */
  readonly dockerfile: string;
}

/** Where a Dockerfile from outside of the context stands in the archive. */
const OUTSIDE = '.joulediff.Dockerfile';

/**
 * As if every .dockerignore began with it: the history of a repository may hold credentials, and changes an image with every commit. A line
 * `!.git` brings it back.
 */
const ALWAYS_IGNORED = '.git\n**/.git\n';

/**
 * Packs a build context as `docker build` would, but without .git: without what .dockerignore names (`NAME.dockerignore` beside the
 * Dockerfile goes before the context's own), files owned by root, and with a Dockerfile that may be outside.
 * The Dockerfile itself is always in it, even if ignored: the engine reads it from there.
 */
export function packContext(context: string, dockerfilePath: string): BuildContext {
  const dockerfile = resolve(context, dockerfilePath);
  const inside = relative(context, dockerfile);
  const isOutside = inside.startsWith('..') || isAbsolute(inside);
  const isIgnored = ignoreOf(context, dockerfile, inside);
  // Modes go as they are, whatever this process's umask (an option that the types don't know).
  const options: tar.PackOptions & { umask: number } = {
    umask: 0,
    ignore: isIgnored,
    map: (header) => ({ ...header, uid: 0, gid: 0 }),
    finalize: false,
    finish: (pack) => {
      if (isOutside) pack.entry({ name: OUTSIDE }, readFileSync(dockerfile));
      pack.finalize();
    },
  };
  const archive = tar.pack(context, options) as unknown as NodeJS.ReadableStream;
  return { archive, dockerfile: isOutside ? OUTSIDE : inside };
}

function ignoreOf(context: string, dockerfile: string, inside: string): (path: string) => boolean {
  const file = [`${dockerfile}.dockerignore`, join(context, '.dockerignore')].find((path) => existsSync(path));
  const patterns = ALWAYS_IGNORED + (file === undefined ? '' : readFileSync(file, 'utf8'));
  const ignore = dockerIgnore.default({ ignorecase: false }).add(patterns);
  // A folder that is ignored may hold files that are not: then it is walked all the same.
  const hasExceptions = /^\s*!/m.test(patterns);
  return (path) => {
    const name = relative(context, path);
    if (name === '' || name === inside || isParentOf(name, inside)) return false;
    if (!ignore.ignores(name)) return false;
    return !(hasExceptions && statSync(path, { throwIfNoEntry: false })?.isDirectory());
  };
}

function isParentOf(folder: string, path: string): boolean {
  for (let parent = dirname(path); parent !== '.' && parent !== '/'; parent = dirname(parent)) {
    if (parent === folder) return true;
  }
  return false;
}
