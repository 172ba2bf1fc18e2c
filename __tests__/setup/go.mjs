// What is built by Go's own tool shares modules and compiled packages: one build after the other needs less than half of what each alone would.
import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Folder that what is built for the tests stays in. */
export const cache = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'joulediff');

const scratch = () => join(cache(), `go-${process.pid}`);

/**
 * How every program is built: with the same words, so that packages of one are those of the others. Not optimized: that takes a third less time, and
 * what they do in tests hardly more.
 */
export const BUILD = ['build', '-trimpath', '-gcflags=all=-N -l', '-ldflags', '-s -w'];

/** For Go's tool: its folders are of this process alone, writable so that they can be removed. */
export function goEnvironment() {
  const env = { ...process.env, GOPATH: join(scratch(), 'path'), GOCACHE: join(scratch(), 'build') };
  env.GOFLAGS = `${env.GOFLAGS ?? ''} -modcacherw`.trim();
  // SQLite in C is the longest of all compilations; nobody waits for its queries.
  env.CGO_CFLAGS = '-O0 -g0';
  delete env.GOMODCACHE;
  return env;
}

/** When nothing is built any more. */
export function removeGo() {
  rmSync(scratch(), { recursive: true, force: true });
}
