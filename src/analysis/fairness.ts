import { isDeepStrictEqual } from 'node:util';
import { isOwnCommand, type VariantBase } from '../contracts/variant.ts';
import {
  type Aspect,
  type Fairness,
  isPlaceSeen,
  LINKED_STATICALLY,
  type PlaceDifference,
  type ServiceSeen,
  type Surroundings,
} from '../findings/surroundings.ts';
import type { VariantRecord } from '../store/records.ts';

/** Examined place of a variant or one of its services. */
type Seen = Pick<VariantRecord, 'definition'> & { readonly surroundings: Surroundings };
type Weight = PlaceDifference['weight'];

/**
 * Unintended differences between the places of each pair. A property that is unknown for one of them is no difference. Null:
 * the places were not examined, as for runs from another tool.
 */
export function fairness(
  variants: readonly VariantRecord[],
  pairs: readonly { readonly baseline: string; readonly variant: string }[],
  machineBytes: number | null,
): Fairness | null {
  const examined = variants.filter(({ surroundings, unseen }) => surroundings !== null || unseen !== null);
  if (examined.length === 0) return null;
  return {
    unseen: examined.flatMap((of) => [
      ...(of.unseen === null ? [] : [{ variant: of.name, reason: of.unseen }]),
      ...servicesOf(of).flatMap(({ service, unseen }) =>
        unseen === null ? [] : [{ variant: of.name, service, reason: unseen }],
      ),
    ]),
    versions: examined.flatMap(({ name, version }) => (version === null ? [] : [{ variant: name, ...version }])),
    pairs: pairs.flatMap(({ baseline, variant }) => {
      const [a, b] = [variants.find(({ name }) => name === baseline), variants.find(({ name }) => name === variant)];
      if (a === undefined || b === undefined || !examined.includes(a) || !examined.includes(b)) return [];
      const [from, to] = [placeOf(a), placeOf(b)];
      const places = from === null || to === null ? [] : placeDifferences(from, to, machineBytes);
      const services = serviceDifferences(a, b, places, machineBytes);
      return [{ baseline, variant, differences: [...commandDifferences(a, b), ...places, ...services] }];
    }),
  };
}

const placeOf = ({ surroundings, definition }: VariantRecord): Seen | null =>
  isPlaceSeen(surroundings) ? { surroundings, definition } : null;

const servicesOf = ({ surroundings }: VariantRecord): readonly ServiceSeen[] => surroundings?.services ?? [];

/** Place of a service, or the variant's place with the service's program. Null: not examined. */
function serviceIn(of: VariantRecord, service: string): Seen | null {
  const found = servicesOf(of).find((one) => one.service === service);
  const { definition } = of;
  if (found?.place) return { definition, surroundings: found.place };
  const own = placeOf(of);
  return found?.program && own ? { definition, surroundings: { ...own.surroundings, ...found.program } } : null;
}

/** Differences between a service's places, without those that the variants' places already have. */
function serviceDifferences(
  a: VariantRecord,
  b: VariantRecord,
  places: readonly PlaceDifference[],
  machineBytes: number | null,
): PlaceDifference[] {
  const reported = new Set(places.map((of) => JSON.stringify([of.aspect, of.of, of.baseline, of.variant])));
  const [from, to] = [servicesOf(a), servicesOf(b)];
  // Services that were not examined are not missing.
  if (from.length === 0 && to.length === 0) return [];
  const names = [...new Set([...from, ...to].map(({ service }) => service))];
  return names.flatMap((service): PlaceDifference[] => {
    const [isIn, isAlsoIn] = [from, to].map((all) => all.some((one) => one.service === service));
    const lone = { aspect: 'service' as const, of: service, weight: 'may-matter' as const };
    if (!isIn || !isAlsoIn) {
      return [{ ...lone, baseline: isIn ? 'there' : null, variant: isAlsoIn ? 'there' : null }];
    }
    const [s, t] = [serviceIn(a, service), serviceIn(b, service)];
    const all = s === null || t === null ? [] : placeDifferences(s, t, machineBytes);
    return all
      .filter((of) => !reported.has(JSON.stringify([of.aspect, of.of, of.baseline, of.variant])))
      .map((of) => ({ ...of, service }));
  });
}

function commandDifferences(a: VariantRecord, b: VariantRecord): PlaceDifference[] {
  const commands = [a, b].map(({ definition }) => definition.workload.run);
  const [from = '', to = ''] = commands.map((run) => (typeof run === 'string' ? run : run.join(' ')));
  return [
    ...(commands.some(isOwnCommand) ? [] : differing('command', from, to, 'asked')),
    // A version that could not be read in one place is no difference.
    ...(a.version?.exitCode === 0 && b.version?.exitCode === 0
      ? differing('version', a.version.output, b.version.output, 'may-matter')
      : []),
  ];
}

function placeDifferences(a: Seen, b: Seen, machineBytes: number | null): PlaceDifference[] {
  const [s, t] = [a.surroundings, b.surroundings];
  const asks = (key: string): boolean => !isDeepStrictEqual(given(a.definition, key), given(b.definition, key));
  /** A difference that the experiment file asks for has the weight `asked`. */
  const unlessAsked = (key: string, weight: Weight): Weight => (asks(key) ? 'asked' : weight);
  /** Limits of a sandbox are set outside of it, where its own kernel does not see them. */
  const isSandbox = asks('runtime') && s.kernel !== t.kernel;
  const group = (of: keyof Surroundings['groupLimits'], aspect: Aspect, key: string, most: number | null) => {
    const [from, to] = [s.groupLimits[of], t.groupLimits[of]];
    return differing(
      aspect,
      isSandbox ? null : shown(from),
      shown(to),
      unlessAsked(key, isFarLess(from, to, most) ? 'may-matter' : 'usual'),
    );
  };
  return [
    ...(isSameLibc(s.libc, t.libc) ? [] : differing('libc', s.libc, t.libc, 'may-matter')),
    ...differing('kernel', s.kernel, t.kernel, unlessAsked('runtime', 'may-matter')),
    ...differing('cpus', s.cpus, t.cpus, unlessAsked('cpuset', 'may-matter')),
    ...group('cpus', 'cpu-limit', 'cpus', null),
    ...group('memoryBytes', 'memory-limit', 'memoryBytes', machineBytes),
    ...group('swapBytes', 'swap-limit', 'memoryBytes', Number.POSITIVE_INFINITY),
    ...group('processes', 'process-limit', 'pids', Number.POSITIVE_INFINITY),
    ...differing('huge-pages', s.hugePages, t.hugePages, 'may-matter'),
    ...differing('swap', onOff(s.swap), onOff(t.swap), 'usual'),
    ...differing('nice', s.nice?.toString() ?? null, t.nice?.toString() ?? null, unlessAsked('nice', 'may-matter')),
    ...differing('locale', s.locale, t.locale, asksLocale(a, b) ? 'asked' : 'may-matter'),
    ...environmentDifferences(a, b),
    ...fileSystemDifferences(s, t),
    ...differing('workdir', chosen(s.workdir), chosen(t.workdir), 'usual'),
    ...limitDifferences(s, t),
    ...differing('time-zone', s.timeZone, t.timeZone, 'usual'),
    ...differing('user', s.uid?.toString() ?? null, t.uid?.toString() ?? null, unlessAsked('user', 'usual')),
    ...differing('umask', s.umask, t.umask, 'usual'),
    ...differing('seccomp', s.seccomp, t.seccomp, 'usual'),
    ...differing('capabilities', s.capabilities, t.capabilities, unlessAsked('capabilities', 'usual')),
    ...versionDifferences(s, t),
    ...differing('mitigations', s.mitigations, t.mitigations, 'may-matter'),
    ...differing(
      'network',
      s.network,
      t.network,
      unlessAsked('network', [s, t].some(({ network }) => network?.includes('published')) ? 'may-matter' : 'usual'),
    ),
    ...differing('new-privileges', onOff(s.noNewPrivileges), onOff(t.noNewPrivileges), 'usual'),
  ];
}

/** Whether two C libraries may be the same: `glibc` of unknown version equals any `glibc 2.36`. */
const isSameLibc = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && (a.startsWith(`${b} `) || b.startsWith(`${a} `)) && !/,/.test(`${a}${b}`);

/** A library that is linked into a program brings the names of its own compiler, so what both programs have may be that of both. */
function compilerDifference(s: Surroundings, t: Surroundings): PlaceDifference[] {
  const [from = [], to = []] = [s.compiler?.split('; '), t.compiler?.split('; ')];
  const isStatic = [s, t].some(({ libc }) => libc?.endsWith(LINKED_STATICALLY) === true);
  // Options of a compiler are no compiler.
  const isShared = from.some((one) => to.includes(one) && !one.startsWith('GNU '));
  return isStatic && isShared ? [] : differing('compiler', s.compiler, t.compiler, 'may-matter');
}

/** Differing versions of what a program consists of. A package in only one place is not a differing version. */
function versionDifferences(s: Surroundings, t: Surroundings): PlaceDifference[] {
  const { libraries: from, packages: installed } = s;
  const { libraries: to, packages: others } = t;
  const names = from === null || to === null ? [] : [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return [
    // Without a preloaded allocator, it is the C library's.
    ...(from === null || to === null
      ? []
      : differing(
          'allocator',
          s.allocator ?? 'that of the C library',
          t.allocator ?? 'that of the C library',
          'may-matter',
        )),
    ...compilerDifference(s, t),
    ...names.toSorted().flatMap((name): PlaceDifference[] => {
      const [baseline, variant] = [from?.[name] ?? null, to?.[name] ?? null];
      return baseline === variant ? [] : [{ aspect: 'library', of: name, baseline, variant, weight: 'may-matter' }];
    }),
    ...Object.entries(installed ?? {}).flatMap(([name, version]) =>
      differing('package', version, others?.[name] ?? null, 'usual', name),
    ),
  ];
}

const given = (definition: VariantBase, key: string): unknown =>
  (definition as VariantBase & Readonly<Record<string, unknown>>)[key] ?? null;

const shown = (value: number | null): string | null => (value === null ? 'none' : String(value));
/** A working directory; null where it is a checkout, whose folder joulediff chose. */
const chosen = (path: string | null): string | null => (path?.includes('/joulediff-checkout-') ? null : path);
const onOff = (value: boolean | null): string | null => (value === null ? null : value ? 'on' : 'off');

/** A difference of one property; empty if either value is unknown. */
function differing(
  aspect: Aspect,
  baseline: string | null,
  variant: string | null,
  weight: Weight,
  of: string | null = null,
): PlaceDifference[] {
  return baseline === null || variant === null || baseline === variant
    ? []
    : [{ aspect, of, baseline, variant, weight }];
}

/** Ratio below which a limit matters: it leaves much less than the other place has. `most`: the amount without a limit; null: unknown. */
const MUCH_LESS = 0.75;

function isFarLess(a: number | null, b: number | null, most: number | null): boolean {
  const none = most ?? Number.POSITIVE_INFINITY;
  if (none === Number.POSITIVE_INFINITY && most !== null) return false;
  const [low, high] = [Math.min(a ?? none, b ?? none, none), Math.min(Math.max(a ?? none, b ?? none), none)];
  return low < MUCH_LESS * high;
}

/** Variables that change how a program allocates, sorts, compiles or spreads its work. */
const TELLING =
  /^(?:LD_(?:PRELOAD|LIBRARY_PATH|BIND_NOW)|GLIBC_TUNABLES|MALLOC_.*|JEMALLOC.*|_?MALLOC_CONF|OMP_.*|GOMP_.*|KMP_.*|OPENBLAS_.*|MKL_.*|BLIS_.*|GOMAXPROCS|GOGC|GOMEMLIMIT|GODEBUG|GOFLAGS|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|NODE_OPTIONS|UV_THREADPOOL_SIZE|PYTHON(?:OPTIMIZE|MALLOC|DEVMODE|TRACEMALLOC)|RAYON_NUM_THREADS|TOKIO_WORKER_THREADS|MAKEFLAGS|CFLAGS|CXXFLAGS|DOTNET_.*|COMPlus_.*|OPENSSL_.*|CUDA_.*)$/;
/** Locale variables, which are compared as a whole. */
const LOCALE = /^(?:LANG|LANGUAGE|LC_[A-Z]+)$/;

/** Whether the experiment itself sets different locales. */
function asksLocale(a: Seen, b: Seen): boolean {
  const [asked, other] = [a.definition.workload.env, b.definition.workload.env];
  return Object.keys({ ...asked, ...other }).some((name) => LOCALE.test(name) && asked[name] !== other[name]);
}

/** Differing environment variables by name; only digests of their values are known. */
function environmentDifferences(a: Seen, b: Seen): PlaceDifference[] {
  const [from, to] = [a.surroundings.environment, b.surroundings.environment];
  if (from === null || to === null) return [];
  const [asked, alsoAsked] = [a.definition.workload.env, b.definition.workload.env];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
  return names.flatMap((name): PlaceDifference[] => {
    if (from[name] === to[name] || LOCALE.test(name)) return [];
    const isAsked = (name in asked || name in alsoAsked) && asked[name] !== alsoAsked[name];
    const state = (digest: string | undefined, other: string | undefined): string | null =>
      digest === undefined ? null : other === undefined ? 'set' : 'other value';
    const weight = isAsked ? 'asked' : TELLING.test(name) ? 'may-matter' : 'usual';
    const [baseline, variant] = [state(from[name], to[name]), state(to[name], from[name])];
    return [{ aspect: 'environment', of: name, baseline, variant, weight }];
  });
}

/** File systems in memory or over a network, which are much faster or slower than a disk. */
const NO_DISK = /^(?:tmpfs|ramfs|nfs.*|cifs|smb.*|9p|virtiofs|fuse.*|sshfs|ceph|glusterfs)$/;

function fileSystemDifferences(s: Surroundings, t: Surroundings): PlaceDifference[] {
  return Object.entries(s.fileSystems).flatMap(([folder, type]) => {
    const other = t.fileSystems[folder];
    if (other === undefined) return [];
    const isOther = NO_DISK.test(type) || NO_DISK.test(other);
    return differing('file-system', type, other, isOther ? 'may-matter' : 'usual', folder);
  });
}

/** Ratio of open-file limits that matters: some programs close or scan all possible files, which takes long for many. */
const MANY_TIMES = 16;

function limitDifferences(s: Surroundings, t: Surroundings): PlaceDifference[] {
  return Object.entries(s.limits).flatMap(([limit, [soft]]) => {
    const [other] = t.limits[limit] ?? [];
    if (other === undefined) return [];
    const ends = [soft, other].map((value) => (value === 'unlimited' ? Number.POSITIVE_INFINITY : Number(value)));
    const isFar = limit === 'open files' && Math.max(...ends) >= MANY_TIMES * Math.min(...ends);
    return differing('limit', soft, other, isFar ? 'may-matter' : 'usual', limit);
  });
}
