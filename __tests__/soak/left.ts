import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docker } from '../e2e/program.ts';

/** What tells the things of this soak from everybody else's on the machine. */
export interface Belongings {
  /** Variable and value in the environment of every process that is started. */
  readonly mark: readonly [string, string];
  /** Digits in the command line of every workload, and in names. */
  readonly marker: string;
  readonly image: string;
  /** Folders of temporary files and of the state, which nothing else uses. */
  readonly temporary: string;
  readonly state: string;
  /** Ids of the processes of ours that may be there. */
  readonly known: ReadonlySet<number>;
  /** `PID-START`, by which the program names its control groups: its number alone may be another's by now. */
  readonly programs: ReadonlySet<string>;
  readonly experiments: ReadonlySet<string>;
}

/** A line for everything that is there and should not be. */
export function whatIsLeft(ours: Belongings): string[] {
  return [...processes(ours), ...engineThings(ours), ...controlGroups(ours), ...files(ours)];
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // gone meanwhile, or another user's
  }
}

function processes({ mark: [name, value], marker, known, experiments }: Belongings): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || known.has(Number(pid)) || Number(pid) === process.pid) return [];
    const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    // One that has ended and is not yet waited for has no command line.
    if (command === '') return [];
    const variables = read(`/proc/${pid}/environ`).split('\0');
    const experiment = variables.find((one) => one.startsWith('JOULEDIFF_EXPERIMENT='))?.split('=')[1] ?? '';
    const isOurs = variables.includes(`${name}=${value}`) || command.includes(marker) || experiments.has(experiment);
    return isOurs ? [`process ${pid}: ${command.slice(0, 120)}`] : [];
  });
}

const lines = (text: string): string[] => text.split('\n').filter(Boolean);

/** Another one's experiments may be measured with the same engine: only what came of our image, experiments or names. */
function engineThings({ image, marker, experiments }: Belongings): string[] {
  const containers = lines(docker('ps', '-aq', '--filter', `ancestor=${image}`)).map((id) => `container ${id}`);
  const format = '{{.Name}} {{.Label "joulediff.experiment"}}';
  const labeled = (['network', 'volume'] as const).flatMap((kind) =>
    lines(docker(kind, 'ls', '--format', format))
      .filter((line) => line.includes(marker) || experiments.has(line.split(' ')[1] ?? ''))
      .map((line) => `${kind} ${line}`),
  );
  return [...containers, ...labeled, ...anonymousVolumes(marker)];
}

/** The workload left its mark in each that it had, which only root can look for. */
function anonymousVolumes(marker: string): string[] {
  const folder = join(docker('info', '--format', '{{.DockerRootDir}}'), 'volumes');
  return names(folder)
    .filter((name) => read(join(folder, name, '_data/mark')).trim() === marker)
    .map((name) => `anonymous volume ${name}`);
}

function controlGroups({ programs, experiments }: Belongings): string[] {
  const isOurs = (name: string) =>
    [...experiments].some((id) => name.includes(id)) || programs.has(/^joulediff-(\d+-\d+)-/.exec(name)?.[1] ?? '');
  const below = (folder: string, depth: number): string[] =>
    readdirFolders(folder).flatMap((name) => {
      const path = join(folder, name);
      if (isOurs(name)) return [`control group ${path}`];
      return depth === 0 ? [] : below(path, depth - 1);
    });
  return below('/sys/fs/cgroup', 4);
}

/** What a state folder keeps beyond experiments. */
const KEPT = ['joulediff', 'joulediff/digest-key', 'joulediff/measured'];

function files({ temporary, state, experiments }: Belongings): string[] {
  const found = [temporary, state].flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))) : [],
  );
  const strange = found.filter((path) => !KEPT.some((name) => path === join(state, name)));
  // Where checkouts go that must not be in memory.
  const elsewhere = names('/var/tmp').filter((name) => {
    const mark = name.startsWith('joulediff-') ? read(join('/var/tmp', name, 'joulediff-owner.json')) : '';
    return [...experiments].some((id) => mark.includes(id));
  });
  return [...strange.map((path) => `file ${path}`), ...elsewhere.map((name) => `folder /var/tmp/${name}`)];
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readdirFolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
