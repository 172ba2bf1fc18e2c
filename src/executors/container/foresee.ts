import type { Foreseen } from '../kind.ts';
import { checkPaths } from './build.ts';
import { answerTo, connectDocker, infoOf, statusOf } from './docker.ts';
import { neverPulled } from './image.ts';
import { checkRuntime } from './trial.ts';
import type { ContainerVariant } from './variant.ts';

/** Whether the engine answers, and the image is there or can be had. Pulls and builds nothing. Throws InputError and MeasureError. */
export async function foreseeContainer(variant: ContainerVariant): Promise<Foreseen> {
  const docker = await connectDocker();
  const { build, image, pull, revision, runtime } = variant;
  if (runtime !== null) checkRuntime(variant, await infoOf(docker));
  if (build !== null) {
    // What a commit holds is seen when it is checked out.
    if (revision === undefined) checkPaths(variant.name, build);
    return { state: 'ok', text: `its image is built from ${build.dockerfile}` };
  }
  const reference = image ?? '';
  try {
    await answerTo(() => docker.getImage(reference).inspect());
  } catch (cause) {
    if (statusOf(cause) !== 404) throw cause;
    if (pull === 'never') throw neverPulled(reference, cause);
    return { state: 'warn', text: `the image ${reference} isn't on this machine and will be pulled` };
  }
  return { state: 'ok', text: `the image ${reference} is there${pull === 'always' ? ', and will be pulled' : ''}` };
}
