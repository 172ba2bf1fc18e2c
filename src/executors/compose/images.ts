import { dirname, isAbsolute, relative } from 'node:path';
import type Docker from 'dockerode';
import type { PlaceFacts } from '../../contracts/variant.ts';
import { MeasureError } from '../../errors.ts';
import { IMAGE_LABEL } from '../../processes/labels.ts';
import { builtTag, keepOlder, removeOlder } from '../container/build.ts';
import { watchBuild } from '../container/build-watch.ts';
import { type FoundImage, findImage, findImageAgain } from '../container/image.ts';
import { checkPlatform } from '../container/trial.ts';
import { type ContainerVariant, IMAGE_TIMEOUT_S, NO_OPTIONS } from '../container/variant.ts';
import { quoteTail } from '../output-tail.ts';
import { compose } from './command.ts';
import type { ComposeService, Stack } from './model.ts';
import type { ComposeVariant } from './variant.ts';

export interface ImagesSetup {
  readonly docker: Docker;
  readonly variant: ComposeVariant;
  readonly stack: Stack;
  readonly env: Readonly<Record<string, string>>;
  /** Facts that an unfinished experiment was begun with; absent: it begins. */
  readonly recorded: PlaceFacts | undefined;
  readonly signal: AbortSignal;
  log(line: string): void;
}

/** The image of each service of a stack: found, pulled or built. Throws MeasureError. */
export async function findImages(setup: ImagesSetup): Promise<Map<string, FoundImage>> {
  const { docker, stack, recorded, signal, log } = setup;
  const found = new Map<string, FoundImage>();
  for (const [service, one] of Object.entries(stack.model.services)) {
    const again = recorded === undefined ? null : imageFacts(recorded, service);
    const wanted = wantedImage(setup.variant, service, one);
    const findNew = async () => {
      const image = one.build === undefined ? wanted.image : await build(setup, service, one);
      return findImage(docker, { ...wanted, image }, log, signal);
    };
    const image = again === null ? await findNew() : await findImageAgain(docker, wanted, again, log, signal);
    checkPlatform(wanted, image);
    found.set(service, image);
  }
  return found;
}

/** The facts of all images, by service. */
export function factsOfImages(images: ReadonlyMap<string, FoundImage>): PlaceFacts {
  return Object.fromEntries(
    [...images].flatMap(([service, { facts }]) =>
      Object.entries(facts).map(([fact, value]) => [`${service}_${fact}`, value]),
    ),
  );
}

/** Facts of one service's image, under the names that a container has for them; null: none are recorded. */
function imageFacts(recorded: PlaceFacts, service: string): PlaceFacts | null {
  const names = ['image', 'image_digest', 'image_id'];
  const facts = Object.fromEntries(names.map((name) => [name, recorded[`${service}_${name}`] ?? null]));
  return facts.image_id === null ? null : facts;
}

/** The service as a container variant, to find its image. */
export function wantedImage(variant: ComposeVariant, service: string, one: ComposeService): ContainerVariant {
  const pull =
    one.build !== undefined || one.pull_policy === 'never'
      ? 'never'
      : one.pull_policy === 'always'
        ? 'always'
        : 'missing';
  const name = `${variant.name}, service ${service}`;
  const { image = null, platform } = one;
  const common = { ...NO_OPTIONS, kind: 'container' as const, name, workload: variant.workload };
  return { ...common, image, pull, ...(platform !== undefined && { platform }) };
}

/** Tag of a service's built image: the same for the same variant, wherever its revision is checked out. */
export function tagOf(
  { name, file, tagBy = file }: ComposeVariant,
  service: string,
  { build }: ComposeService,
): string {
  const source = [build?.context, build?.dockerfile].map((path) =>
    typeof path === 'string' && isAbsolute(path) ? relative(dirname(file), path) : path,
  );
  return builtTag(`${name} ${service}`, [tagBy, ...source, build?.target].map(String));
}

/** Builds an image by Compose itself, with a tag of ours, so that the tag of the user's own image stays where it is. */
async function build(setup: ImagesSetup, service: string, one: ComposeService): Promise<string> {
  const { docker, variant, stack, env, signal, log } = setup;
  const tag = tagOf(variant, service, one);
  log(`Building image ${tag}`);
  const labels = { ...(one.build?.labels ?? {}), [IMAGE_LABEL]: tag };
  const file = {
    ...stack.model,
    services: {
      [service]: {
        ...one,
        depends_on: undefined,
        network_mode: undefined,
        links: undefined,
        volumes_from: undefined,
        pid: undefined,
        ipc: undefined,
        image: tag,
        build: { ...one.build, tags: undefined, labels },
      },
    },
  };
  const whose = `The image of service ${JSON.stringify(service)} of variant ${JSON.stringify(variant.name)}`;
  await keepOlder(docker, tag);
  const answer = await watchBuild(`${whose} was not built`, signal, (stop) =>
    compose({
      words: ['-p', 'joulediff-build', '--project-directory', dirname(variant.file), '-f', '-', 'build', service],
      env,
      directory: dirname(variant.file),
      input: JSON.stringify(file),
      withinS: IMAGE_TIMEOUT_S,
      signal: stop,
    }),
  );
  if (answer.code !== 0) {
    throw new MeasureError(`${whose} could not be built.${quoteTail(`${answer.stdout}\n${answer.stderr}`, 20)}`);
  }
  await removeOlder(docker, tag);
  return tag;
}
