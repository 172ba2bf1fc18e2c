import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { statusOf } from './docker.ts';

const TRIES = 10;
const PAUSE_MS = 100;
const INTERNAL_ERROR = 500;

/**
 * The images of an engine. Podman's list fails as a whole where any image of the machine comes or goes while it is made (4.3: one in six beside three
 * programs that load and remove some), so it is asked for again. Throws what the engine says in the end.
 */
export async function listedImages(docker: Docker, options: Docker.ListImagesOptions): Promise<Docker.ImageInfo[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await docker.listImages(options);
    } catch (thrown) {
      if (statusOf(thrown) !== INTERNAL_ERROR || attempt === TRIES) throw thrown;
    }
    await sleep(PAUSE_MS);
  }
}
