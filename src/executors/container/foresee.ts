import type Docker from 'dockerode';
import type { EngineName } from '../engine-key.ts';
import type { Foreseen } from '../kind.ts';
import { checkPaths } from './build.ts';
import { connectDocker, infoOf } from './docker.ts';
import { inspectEngine } from './engines/engine.ts';
import { findPresent, inspectImage } from './image.ts';
import { checkRuntime } from './trial.ts';
import type { ContainerVariant } from './variant.ts';

/** Whether the engine answers, and the image is there or can be had. Pulls and builds nothing. Throws InputError and MeasureError. */
export async function foreseeContainer(variant: ContainerVariant): Promise<Foreseen> {
  if (variant.engine !== undefined) return foreseeIn(variant, variant.engine);
  const docker = await connectDocker();
  const { build, revision, runtime } = variant;
  if (runtime !== null) checkRuntime(variant, await infoOf(docker));
  if (build !== null) {
    // What a commit holds is seen when it is checked out.
    if (revision === undefined) checkPaths(variant.name, build);
    return { state: 'ok', text: `its image is built from ${build.dockerfile}` };
  }
  return foreseeImage(docker, variant);
}

/** Whether an engine that answers has the variant's image. Throws MeasureError where it does not and nothing may be pulled. */
async function foreseeImage(docker: Docker, variant: ContainerVariant, where = ''): Promise<Foreseen> {
  const { image, pull } = variant;
  if ((await findPresent(docker, variant)) === null)
    return { state: 'warn', text: `${where}the image ${image} isn't on this machine and will be pulled` };
  return { state: 'ok', text: `${where}the image ${image} is there${pull === 'always' ? ', and will be pulled' : ''}` };
}

/** As `foreseeContainer`, for a variant that names its engine: an image that Docker's engine has is copied there, unless it is always pulled. */
async function foreseeIn(variant: ContainerVariant, name: EngineName): Promise<Foreseen> {
  const { build, image, pull, revision, runtime } = variant;
  const docker = await inspectEngine(variant, name);
  if (docker !== null && runtime !== null && name !== 'podman') checkRuntime(variant, await infoOf(docker));
  const where = docker === null ? 'Podman is started for the experiment' : `the engine ${name} answers`;
  if (build !== null) {
    await connectDocker();
    if (revision === undefined) checkPaths(variant.name, build);
    return {
      state: 'ok',
      text: `${where}; its image is built from ${build.dockerfile} by Docker's engine, and copied there`,
    };
  }
  const reference = image ?? '';
  const usual = pull === 'always' ? null : await connectDocker().catch(() => null);
  if (usual !== null && (await inspectImage(usual, reference, reference)) !== null) {
    return { state: 'ok', text: `${where}; the image ${reference} is there, or copied there from Docker's engine` };
  }
  if (docker !== null) return foreseeImage(docker, variant, `${where}; `);
  const pulled = `is pulled there${pull === 'missing' ? ' where it is missing' : ''}`;
  const what = pull === 'never' ? 'has to be there, because pull is never' : pulled;
  return { state: 'warn', text: `${where}; the image ${reference} ${what}` };
}
