import { selectKind } from '../executors/registry.ts';
import type { Conflict } from '../input/conflict.ts';
import type { Path } from '../input/words.ts';
import type { GivenVariant } from './matrix.ts';
import type { CheckedFile } from './schema.ts';

const WAYS = ['tcp', 'http', 'log', 'command'] as const;

/** What is wrong between the keys of services, and between them and others. */
export function serviceConflicts(file: CheckedFile, variants: readonly GivenVariant[]): Conflict[] {
  const given = Object.entries(file.services ?? {});
  const found: Conflict[] = [];
  const refuse = (path: Path, detail: string, ...more: Path[]) => {
    found.push({ path, part: 'key', detail, follows: [path, ['services'], ...more] });
  };
  for (const [name, { ready }] of given) {
    if (ready === undefined) continue;
    const ways = WAYS.filter((way) => ready[way] !== undefined);
    if (ways.length !== 1) {
      const was = ways.length === 0 ? 'none of them was' : `${ways.join(' and ')} were`;
      refuse(['services', name, 'ready'], `it takes one of ${WAYS.join(', ')}, and ${was} given`);
    }
    if (ready.status !== undefined && ready.http === undefined) {
      refuse(['services', name, 'ready', 'status'], 'it is the status of an answer to http, which was not given');
    }
  }
  if (file.window === 'service') for (const conflict of windowConflicts(file, variants)) refuse(...conflict);
  if (file.workload.place === 'host') {
    const inVariant = given.some(([, { place }]) => place === 'variant');
    const elsewhere = variants.find(({ variant }) => selectKind(variant).selectedBy.length > 0);
    if (!inVariant && elsewhere !== undefined) {
      const detail = `"host" was given, and nothing would run in ${JSON.stringify(elsewhere.name)}: there is no service with place: variant`;
      refuse(['workload', 'place'], detail, ['variants'], ['matrix']);
    }
  }
  return found;
}

function windowConflicts(file: CheckedFile, variants: readonly GivenVariant[]): [Path, string, ...Path[]][] {
  const follows: Path[] = [['workload'], ['variants'], ['matrix']];
  if (!Object.values(file.services ?? {}).some(({ lifetime }) => lifetime === 'run')) {
    return [[['window'], '"service" was given, and no service is started in a run', ...follows]];
  }
  return (['prepare', 'cleanup'] as const).flatMap((stage): [Path, string, ...Path[]][] => {
    const isGiven = variants.some(({ variant }) => (variant[stage] ?? file.workload[stage] ?? null) !== null);
    const detail = `"service" was given: the services start and end inside the window, and ${stage} can't be run outside of it while they are there; leave ${stage} out`;
    return isGiven ? [[['window'], detail, ...follows]] : [];
  });
}
