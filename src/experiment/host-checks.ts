import { selectKind } from '../executors/registry.ts';
import type { Conflict } from '../input/conflict.ts';
import type { Path } from '../input/words.ts';
import type { GivenVariant } from './matrix.ts';
import type { CheckedFile } from './schema.ts';

/** What would be made, held or looked at on this machine, where another one is measured. */
const ONLY_HERE = ['services', 'hooks', 'phases', 'cpus', 'nice', 'on-noise', 'allow'] as const;
const NATIVE_ONLY_HERE = ['user', 'pids', 'memory', 'engine'] as const;

/** What can't be done on another machine is refused: nothing is done here in its place, or left out in silence. */
export function hostConflicts(file: CheckedFile, variants: readonly GivenVariant[]): Conflict[] {
  if (file.host === undefined) return [];
  const found: Conflict[] = [];
  const refuse = (path: Path, detail: string, ...more: Path[]) => {
    found.push({ path, part: 'key', detail, follows: [path, ['host'], ...more] });
  };
  for (const key of ONLY_HERE) {
    const given = file[key] ?? null;
    if (given !== null) refuse([key], `${key} does not work with host yet; leave one of them out`);
  }
  if (file.explain !== 'never') {
    refuse(['explain'], 'runs on another machine can’t be observed yet; leave it or host out');
  }
  if (file.output === 'file') {
    refuse(['output'], 'with host, output is kept in the memory of that machine; leave it out');
  }
  if (file.workload.place === 'host') {
    refuse(['workload', 'place'], '"host" was given, and with host everything runs on that machine; leave it out');
  }
  const meters = typeof file.meter === 'string' ? [file.meter] : file.meter;
  if (meters.some((name) => name.trim() === 'auto')) {
    const detail =
      'auto would choose among what is connected to this machine, and nobody but you knows which meter the other machine hangs on; name it';
    refuse(['meter'], detail);
  }
  for (const { variant, name, pathOf } of variants) {
    const [selector] = selectKind(variant).selectedBy.filter(
      (key) => variant[key as keyof typeof variant] !== undefined,
    );
    if (selector !== undefined) {
      const detail = `${JSON.stringify(name)} runs in a container, which can’t be measured on another machine yet; with host, variants run natively`;
      refuse(pathOf(selector), detail, pathOf());
      continue;
    }
    for (const key of NATIVE_ONLY_HERE) {
      if (variant[key] !== undefined) refuse(pathOf(key), `${key} does not work with host yet; leave it out`, pathOf());
    }
  }
  return found;
}
