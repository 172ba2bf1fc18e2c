import { HOW_TO_INSTALL } from '../../../executors/compose/command.ts';
import { copiedWord } from '../../../report/escape.ts';
import { plain } from '../../../text/plain.ts';
import type { Engine, Examination, Finding, Patient, Trouble } from './examination.ts';

/** Runs an examination of the engine; if the engine can't be queried, the result is `unknown`, since another examination reports it. */
async function asked({ engine }: Patient, how: string, tell: (engine: Engine) => Finding): Promise<Finding> {
  const found = await engine();
  return 'why' in found ? { state: 'unknown', seen: 'the engine can’t be asked', how } : tell(found);
}

/** Major version of the oldest Docker engine that joulediff is tested with (20.10, API 1.41). */
const OLDEST = 20;

const engine: Examination = {
  name: 'engine',
  group: 'Containers',
  why: 'Variants in containers need it. Its version is part of what is measured: starting a container costs energy.',
  async examine(patient) {
    const how = 'docker version';
    const found = await patient.engine();
    if ('why' in found)
      return { state: 'warn', seen: found.why.replace(/\.$/, ''), how, ...findRemedy(found, patient) };
    const { version } = found;
    if (version === null || Number.parseInt(version, 10) >= OLDEST)
      return { state: 'ok', seen: version ?? 'it answers', how };
    return {
      state: 'warn',
      seen: `${version} is older than what joulediff is tried with (${OLDEST}.10)`,
      how,
      remedy: 'sudo apt-get install docker.io',
    };
  },
};

/** Folders of packages, installers and snaps with the engine, which another package may have replaced. */
const PLACES = ['usr/bin', 'usr/sbin', 'usr/local/bin', 'usr/local/sbin', 'snap/bin', 'opt/bin'];

function findRemedy(
  { advice, code }: Trouble,
  { person, files, engineAddress }: Patient,
): Pick<Finding, 'remedy' | 'note'> {
  const note = advice ?? undefined;
  if (code === 'EACCES' || code === 'EPERM')
    return { remedy: `sudo usermod -aG docker ${copiedWord(person.name)}`, note };
  if (engineAddress !== null) return { remedy: 'env -u DOCKER_HOST docker version', note };
  if (code === 'ENOENT' || code === 'ECONNREFUSED') {
    const isInstalled = PLACES.some((folder) => files.entries(folder, /^(docker\.)?dockerd$/).length > 0);
    return { remedy: isInstalled ? 'sudo systemctl start docker' : 'sudo apt-get install docker.io', note };
  }
  const consequence = 'If it has to be restarted, running containers stop with it, unless live-restore is on.';
  return { remedy: 'sudo systemctl status docker', note: note === undefined ? consequence : `${note} ${consequence}` };
}

/** Storage drivers that make file access slow: they copy whole layers or run in user space. */
const SLOW_DRIVERS = /^(vfs|aufs|devicemapper|fuse-overlayfs)$/;

const storage: Examination = {
  name: 'storage driver',
  group: 'Containers',
  why: 'Every file of an image is read through it: a slow one alone makes containers expensive.',
  examine: (patient) =>
    asked(patient, "docker info --format '{{.Driver}}'", ({ storageDriver }) => {
      const how = "docker info --format '{{.Driver}}'";
      if (storageDriver === null) return { state: 'unknown', seen: 'the engine doesn’t say', how };
      if (!SLOW_DRIVERS.test(storageDriver)) return { state: 'ok', seen: storageDriver, how };
      return {
        state: 'warn',
        seen: `${storageDriver}, slower than overlay2`,
        how,
        remedy: `sudo test ! -e /etc/docker/daemon.json && echo '{"storage-driver":"overlay2"}' | sudo tee /etc/docker/daemon.json`,
        note: 'Where the file is there already, add the setting by hand. It takes effect when the engine is restarted: containers that run end with it, and images have to be pulled or built anew.',
      };
    }),
};

/** Kernel command-line option that enables cgroup v2. */
const UNIFIED = 'systemd.unified_cgroup_hierarchy=1';

const cgroups: Examination = {
  name: 'control groups',
  group: 'Containers',
  why: 'Limits, peak memory and what a native run left running are read there.',
  examine({ files }) {
    const how = 'stat -fc %T /sys/fs/cgroup';
    const unified = files.text('sys/fs/cgroup/cgroup.controllers');
    if (unified !== null) return { state: 'ok', seen: `version 2 (${unified})`, how };
    const first = files.entries('sys/fs/cgroup', /^(memory|cpu|cpuacct|cpu,cpuacct)$/);
    if (first.length === 0) return { state: 'unknown', seen: '/sys/fs/cgroup shows none', how };
    return {
      state: 'ok',
      seen: 'version 1',
      how,
      remedy: `sudo sed -Ei '/${UNIFIED}/!s/^GRUB_CMDLINE_LINUX=["'"'"']/&${UNIFIED} /' /etc/default/grub && grep -q '^GRUB_CMDLINE_LINUX=.*${UNIFIED}' /etc/default/grub && sudo update-grub`,
      note: 'It gives version 2 after the next start, where systemd and GRUB start the machine.',
    };
  },
};

const LONGEST_VERSION = 40;

const compose: Examination = {
  name: 'Compose',
  group: 'Containers',
  why: 'Variants that are a Compose file are started by it.',
  async examine({ output }) {
    const how = 'docker compose version';
    const version = plain((await output('docker', ['compose', 'version', '--short'])) ?? '', LONGEST_VERSION);
    if (version !== '') return { state: 'ok', seen: version, how };
    return {
      state: 'ok',
      seen: 'not installed; only variants with compose need it',
      how,
      remedy: 'sudo apt-get install docker-compose-plugin || sudo apt-get install docker-compose-v2',
      note: HOW_TO_INSTALL,
    };
  },
};

const otherEngines: Examination = {
  name: 'other engines',
  group: 'Containers',
  why: 'A variant in a container may name its engine: Podman, or Docker without root. What runs there is tried before the first block.',
  async examine({ output, files, person: { uid } }) {
    // Not `podman version`, which creates namespaces and folders for a user without root, and leaves a process.
    const how = 'podman --version';
    const reported = (await output('podman', ['--version']))?.trim().replace(/^podman version /, '');
    const version = plain(reported ?? '', LONGEST_VERSION);
    const folder = uid === 0 ? 'run/podman' : `run/user/${uid}/podman`;
    const isServed = files.entries(folder, /^podman\.sock$/).length > 0;
    const rootless = files.entries(`run/user/${uid}`, /^docker\.sock$/).length > 0;
    const found = [
      ...(version === ''
        ? []
        : [`Podman ${version}${isServed ? `, at /${folder}/podman.sock` : ', started for experiments'}`]),
      ...(rootless ? [`Docker without root, at /run/user/${uid}/docker.sock`] : []),
    ];
    if (found.length > 0) return { state: 'ok', seen: found.join('; '), how };
    return {
      state: 'ok',
      seen: 'none; only variants that name one need it',
      how,
      remedy: 'sudo apt-get install podman',
    };
  },
};

export const CONTAINERS: readonly Examination[] = [engine, storage, cgroups, compose, otherEngines];
