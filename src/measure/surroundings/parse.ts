import { LINKED_STATICALLY, type ProgramParts, type Surroundings } from '../../findings/surroundings.ts';
import { MARK } from './script.ts';

/** Parsed output of the script, with the values of variables as they are: they must be concealed before they are stored. */
export type SeenSurroundings = Omit<Surroundings, 'fileSystems' | 'network' | 'services'> & {
  readonly fileSystems: FileSystems;
  /** Parts of all programs that were looked for, in their order; those of the first are also the parts of the place. */
  readonly programs: readonly ProgramParts[];
};

/** Types of file systems, by mount point. */
export type FileSystems = Readonly<Record<string, string>>;

/** Parses the script's output. `programs`: how many were looked for. Null: the script did not come to its end. */
export function parseSurroundings(output: string, programs = 1): SeenSurroundings | null {
  const parts = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of output.split('\n')) {
    if (line.startsWith(MARK)) {
      lines = [];
      parts.set(line.slice(MARK.length), lines);
    } else if (line !== '') lines.push(line);
  }
  if (!parts.has('end')) return null;
  // The part that was being printed when the time was over is incomplete, so it is left out.
  const last = [...parts.keys()].at(-1) ?? 'end';
  if (!['end', 'all'].includes(last)) parts.delete(last);
  const part = (name: string): string[] => parts.get(name) ?? [];
  const only = (name: string): string | null => part(name)[0]?.trim() ?? null;
  const status = (field: string): string | null => {
    const line = part('status').find((one) => one.startsWith(`${field}:`));
    return line?.slice(field.length + 1).trim() ?? null;
  };
  const whole = (value: string | null | undefined): number | null =>
    value === null || value === undefined || !/^-?\d+$/.test(value) ? null : Number(value);
  const environment = environmentOf(part('environment')) ?? environmentOf(exported(part('exports')));
  const ofPlace = parseLibc(part('libc').join('\n'), part('loader'));
  const made = Array.from({ length: Math.max(1, programs) }, (_, i) =>
    programOf((name) => part(`${name} ${i}`), { libc: ofPlace, preloaded: environment?.LD_PRELOAD }),
  );
  const noNew = status('NoNewPrivs');
  return {
    kernel: only('kernel'),
    workdir: only('workdir'),
    fileSystems: mountsOf(part('mountinfo')),
    environment,
    locale: getLocale(environment),
    timeZone: only('timezone'),
    // The four numbers are the real, effective, saved and file system ID; the effective one is taken.
    uid: whole(status('Uid')?.split(/\s+/)[1]),
    gid: whole(status('Gid')?.split(/\s+/)[1]),
    umask: status('Umask'),
    nice: parseNice(part('stat').join('\n')),
    capabilities: status('CapEff')?.replace(/^0+(?=.)/, '') ?? null,
    noNewPrivileges: noNew === null ? null : noNew === '1',
    seccomp: (['off', 'strict', 'filter'] as const)[whole(status('Seccomp')) ?? -1] ?? null,
    cpus: status('Cpus_allowed_list'),
    limits: limitsOf(part('limits')),
    groupLimits: parseGroupLimits(part('groups')),
    hugePages: /\[(\w+)\]/.exec(only('hugepages') ?? '')?.[1] ?? null,
    mitigations: formatMitigations(status('Speculation_Store_Bypass'), status('SpeculationIndirectBranch')),
    packages: parsePackages(part('packages')),
    ...(made[0] as ProgramParts),
    programs: made,
    // The first line holds headings, each other one a swap device.
    swap: parts.has('swaps') && part('swaps').length > 0 ? part('swaps').length > 1 : null,
  };
}

interface OfPlace {
  readonly libc: string | null;
  /** Value of LD_PRELOAD, which is loaded before any program. */
  readonly preloaded: string | undefined;
}

/** Only in programs that a C library is linked into: the names of variables that it looks for. Of musl's programs those have it that ask for a locale (src/locale/locale_map.c). */
const INSIDE: Readonly<Record<string, string>> = { GLIBC_TUNABLES: 'glibc, ', MUSL_LOCPATH: 'musl, ' };

function programOf(part: (name: string) => readonly string[], { libc, preloaded }: OfPlace): ProgramParts {
  const libraries = parseLibraries(part('libraries'));
  const reported = part('compiler').filter((line) => !Object.hasOwn(INSIDE, line));
  const inside = Object.keys(INSIDE).find((of) => part('compiler').includes(of));
  const [loader, ...version] = part('loader');
  const isStatic = part('elf').length > 0 && loader === undefined;
  const own = loader === undefined ? null : parseLibc(version.join('\n'), [loader]);
  return {
    libc: isStatic
      ? `${inside === undefined ? '' : INSIDE[inside]}${LINKED_STATICALLY}`
      : // Older ones tell no version of their own, and where there are two, the place's is that of the other.
        own !== null && libc?.startsWith(`${own} `)
        ? libc
        : (own ?? libc),
    libraries,
    allocator: findAllocator(Object.keys(libraries ?? {}), preloaded),
    compiler: reported.length === 0 ? null : reported.join('; ').slice(0, LONGEST_COMPILER),
  };
}

/** The type of the file system that holds a path. */
export function fileSystemAt(mounts: FileSystems, path: string): string | null {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/')) || '/') {
    const type = mounts[at];
    if (type !== undefined) return type;
    if (at === '/' || !at.startsWith('/')) return null;
  }
}

/** Fields of mountinfo (proc(5)): the fifth is the mount point, and the type follows a lone hyphen; the last one mounted there counts. */
function mountsOf(lines: readonly string[]): FileSystems {
  const mounts = lines.flatMap((line): [string, string][] => {
    const fields = line.split(' ');
    const [point, type] = [fields[4], fields[fields.indexOf('-') + 1]];
    return point === undefined || type === undefined ? [] : [[unescaped(point), type]];
  });
  return Object.fromEntries(mounts);
}

/** A path in mountinfo, where a space is written \040. */
const unescaped = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** Variables that joulediff, the shell and the engine set anew for every run, so that they tell nothing. */
const PASSING = /^(?:JOULEDIFF_.*|HOSTNAME|PWD|OLDPWD|SHLVL|_)$/;

function environmentOf(lines: readonly string[]): Readonly<Record<string, string>> | null {
  if (lines.length === 0) return null;
  const named = lines.flatMap((line): [string, string][] => {
    const equals = line.indexOf('=');
    const name = line.slice(0, equals);
    return equals < 1 || PASSING.test(name) ? [] : [[name, line.slice(equals + 1)]];
  });
  return Object.fromEntries(named);
}

/**
 * `NAME=value` of what a shell's `export -p` prints, in its quotes: of a place without `tr`. A value of several lines is left out.
 */
function exported(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const [, name, value] = /^(?:export|declare -x) (\w+)=(.*)$/.exec(line) ?? [];
    const quoted = /^(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^'"\\])*$/;
    if (name === undefined || value === undefined || !quoted.test(value)) return [];
    const parts = value.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)/g);
    const plain = [...parts].map(
      ([, single, double, escaped, bare]) => single ?? double?.replace(/\\(.)/g, '$1') ?? escaped ?? bare,
    );
    return [`${name}=${plain.join('')}`];
  });
}

/** Character set and sort order, by the variables in the order that POSIX gives. */
function getLocale(environment: Readonly<Record<string, string>> | null): string | null {
  if (environment === null) return null;
  const given = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || 'C';
  return given === 'POSIX' ? 'C' : given;
}

function parseLibc(reported: string, loaders: readonly string[]): string | null {
  const glibc = /(?:glibc|GLIBC|GNU libc|GNU C Library)\D*?(\d+\.\d+)/.exec(reported)?.[1] ?? null;
  if (glibc !== null) return `glibc ${glibc}`;
  if (/musl/.test(reported) || loaders.some((path) => path.includes('musl'))) {
    const version = /Version (\d[\d.]*)/.exec(reported)?.[1];
    return version === undefined ? 'musl' : `musl ${version}`;
  }
  return loaders.length > 0 ? 'glibc' : null;
}

const LONGEST_COMPILER = 500;
const MAX_PACKAGES = 5000;

/** Mitigations in /proc/PID/status (proc(5)), which newer kernels show on affected processors. */
function formatMitigations(storeBypass: string | null, indirectBranch: string | null): string | null {
  const reported = [
    ...(storeBypass === null ? [] : [`store bypass: ${storeBypass}`]),
    ...(indirectBranch === null ? [] : [`indirect branches: ${indirectBranch}`]),
  ];
  return reported.length === 0 ? null : reported.join(', ');
}

/** `zlib1g 1:1.2.13` of dpkg and rpm, `zlib-1.3.1-r2` of apk. */
function parsePackages(lines: readonly string[]): Readonly<Record<string, string>> | null {
  const named = lines.slice(0, MAX_PACKAGES).flatMap((line): [string, string][] => {
    const [, name, version] = /^(\S+) (\S+)$/.exec(line) ?? /^(\S+)-(\d[^\s-]*-r\d+)$/.exec(line) ?? [];
    return name === undefined || version === undefined ? [] : [[name, version]];
  });
  // Some packages (rpm's kernels and keys) have several versions, in no fixed order.
  const versions = new Map<string, Set<string>>();
  for (const [name, version] of named) versions.set(name, (versions.get(name) ?? new Set()).add(version));
  const joined = [...versions].map(([name, all]) => [name, [...all].sort().join(', ')]);
  return named.length === 0 ? null : Object.fromEntries(joined);
}

/** Parts of the C library, which is recorded with a version of its own. */
const OF_LIBC = /^(?:ld-|libc\.|libm\.|libpthread\.|libdl\.|librt\.|libresolv\.|libutil\.|linux-vdso)/;

/** `libz.so.1 /usr/lib/libz.so.1.2.13`: what ldd names, and the file that it is. */
function parseLibraries(lines: readonly string[]): Readonly<Record<string, string>> | null {
  const all = lines.flatMap((line): [string, string][] => {
    const [name = '', path = ''] = line.split(' ');
    const [, stem, version] = /([^/]+\.so)(?:\.([^/]+))?$/.exec(path || name) ?? [];
    return stem === undefined || OF_LIBC.test(name) || OF_LIBC.test(stem) ? [] : [[stem, version ?? 'no version']];
  });
  return lines.length === 0 ? null : Object.fromEntries(all);
}

/** A known allocator that is linked or preloaded; null: none. */
function findAllocator(libraries: readonly string[], preloaded = ''): string | null {
  const found = /jemalloc|tcmalloc|mimalloc|snmalloc|rpmalloc|hoard|scudo/.exec([preloaded, ...libraries].join(' '));
  return found?.[0] ?? null;
}

/** The 19th field (proc(5)); the name before may hold anything. */
function parseNice(stat: string): number | null {
  const nice = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  return stat === '' || !Number.isInteger(nice) ? null : nice;
}

/** `Max open files            1024                 1048576              files`. */
function limitsOf(lines: readonly string[]): Readonly<Record<string, [string, string]>> {
  const rows = lines.flatMap((line): [string, [string, string]][] => {
    const [, name, soft, hard] = /^Max (.+?)\s{2,}(\S+)\s+(\S+)/.exec(line) ?? [];
    return name === undefined || soft === undefined || hard === undefined ? [] : [[name, [soft, hard]]];
  });
  return Object.fromEntries(rows);
}

/** Values from here on mean "no limit" in version 1 of control groups. */
const NO_LIMIT = 2 ** 62;

/** Limits of a group and of all those above it: the lowest one of each kind holds. */
function parseGroupLimits(lines: readonly string[]): Surroundings['groupLimits'] {
  const reported = lines.map((line) => ({
    file: line.slice(0, line.indexOf(' ')),
    value: line.slice(line.indexOf(' ') + 1),
  }));
  const lowest = (values: readonly number[]): number | null => {
    const limits = values.filter((value) => value >= 0 && value < NO_LIMIT);
    return limits.length === 0 ? null : Math.min(...limits);
  };
  const numbers = (...files: readonly string[]): number[] =>
    reported.filter(({ file }) => files.includes(file)).map(({ value }) => Number(value));
  const cpus = reported.map(({ file, value }, i) => {
    const next = reported[i + 1];
    if (file === 'cpu.max') return Number(value.split(' ')[0]) / Number(value.split(' ')[1]);
    if (file !== 'cpu.cfs_quota_us' || next?.file !== 'cpu.cfs_period_us') return Number.NaN;
    return Number(value) / Number(next.value);
  });
  return {
    cpus: lowest(cpus),
    memoryBytes: lowest(numbers('memory.max', 'memory.limit_in_bytes')),
    swapBytes: lowest(numbers('memory.swap.max', 'memory.memsw.limit_in_bytes')),
    processes: lowest(numbers('pids.max')),
  };
}
