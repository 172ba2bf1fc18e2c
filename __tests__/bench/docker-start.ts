import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const docker = (...words: string[]) => {
  const done = spawnSync('docker', words, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`docker ${words[0]}: ${done.stderr}`);
  return done.stdout.trim();
};

/** A folder to build an image from nothing but busybox in; `busybox-static` must be installed. */
export function busyboxContext(folder: string): string {
  mkdirSync(folder, { recursive: true });
  copyFileSync('/bin/busybox', join(folder, 'busybox'));
  writeFileSync(
    join(folder, 'Dockerfile'),
    'FROM scratch\nCOPY busybox /bin/busybox\nRUN ["/bin/busybox", "--install", "/bin"]\n',
  );
  return folder;
}

export function buildImage(context: string, tag: string): void {
  docker('build', '-q', '-t', tag, context);
}

/** Seconds that `docker start -a` takes for a container that was created before, one container a time. */
export function timeDockerStart(image: string, argv: readonly string[], times: number): number[] {
  return Array.from({ length: times }, () => {
    const id = docker('create', image, ...argv);
    const from = process.hrtime.bigint();
    docker('start', '-a', id);
    const seconds = Number(process.hrtime.bigint() - from) / 1e9;
    docker('rm', '-f', id);
    return seconds;
  });
}
