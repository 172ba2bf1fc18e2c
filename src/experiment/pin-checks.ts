import type { Conflict } from '../input/conflict.ts';
import type { GivenVariant } from './matrix.ts';
import type { CheckedFile } from './schema.ts';

/** Refuses pins that can't be enforced. */
export function pinConflicts(
  file: CheckedFile,
  variants: readonly GivenVariant[],
  isPinned: (given: GivenVariant) => boolean,
): Conflict[] {
  const found: Conflict[] = [];
  for (const key of ['cpus', 'nice'] as const) {
    const given = file[key];
    if (given?.client !== undefined && !hasClient(file)) {
      const detail = `nothing runs on the host for all variants; a client does with workload.place: host; leave it out, or give ${key}.workload`;
      found.push({ path: [key, 'client'], part: 'key', detail, follows: [[key], ['workload'], ['services']] });
    }
    if (given?.workload === undefined) continue;
    for (const variant of variants) {
      if (isPinned(variant)) continue;
      const detail = `it can't be held for ${JSON.stringify(variant.name)}: that is for variants on the host and in containers of joulediff's own; leave it out`;
      found.push({ path: [key, 'workload'], part: 'key', detail, follows: [[key], variant.pathOf()] });
    }
  }
  if (file.cpus?.workload === undefined) {
    if (file.quiet?.includes('irq')) {
      const detail =
        'irq keeps interrupts away from the processors of the workload, and it has none of its own; give cpus.workload, or leave irq out';
      found.push({ path: ['quiet'], part: 'key', detail, follows: [['quiet'], ['cpus'], ['cpus', 'workload']] });
    }
    return found;
  }
  for (const { variant, pathOf } of variants) {
    if (variant.cpuset === undefined) continue;
    const detail = 'cpuset and cpus.workload were both given, and say the same of this variant; keep one';
    found.push({ path: pathOf('cpuset'), part: 'key', detail, follows: [pathOf(), ['cpus'], ['cpus', 'workload']] });
  }
  return found;
}

const hasClient = ({ workload, services }: CheckedFile): boolean =>
  workload.place === 'host' || Object.values(services ?? {}).some(({ place }) => place === 'host');
