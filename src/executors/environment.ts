import { InputError } from '../errors.ts';
import { ownerToken } from '../processes/owner.ts';
import { isJob } from '../system/gitea.ts';
import { isSecretName, isSecretValue } from '../text/credentials.ts';
import { rememberSecrets } from '../text/known-secrets.ts';
import { listed } from '../text/plain.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Variables of the caller that workloads get in a job: what a program needs to run at all, and where set-up steps put tools. Measured code may come
 * from a pull request, and a list of forbidden names is never complete. RUNNER_TRACKING_ID is among them, since by it the runner ends what a dead job
 * left. docs/variants.md has this list for readers.
 */
const IN_JOBS: readonly RegExp[] = [
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|TZ|TMPDIR|LANG|LANGUAGE|LC_[A-Z]+)$/,
  /^(?:CI|GITHUB_ACTIONS|GITEA_ACTIONS|FORGEJO_ACTIONS|GITHUB_SHA|GITHUB_REF|GITHUB_REF_NAME|GITHUB_WORKSPACE)$/,
  /^RUNNER_(?:OS|ARCH|TEMP|TOOL_CACHE|TRACKING_ID)$/,
  /^(?:JAVA_HOME|GOROOT|GOPATH|CARGO_HOME|RUSTUP_HOME|DOTNET_ROOT|pythonLocation|LD_LIBRARY_PATH|PKG_CONFIG_PATH)$/,
];

/** Folders of the caller. A workload runs in another, and a program may take them for its own (`$(PWD)` in a Makefile); `inFolder` gives it its own. */
const FOLDERS = /^(?:OLD)?PWD$/;

/** Variables withheld at a terminal, in addition to names of credentials: a command should do there what it does in the user's own shell. */
const AT_TERMINAL: readonly RegExp[] = [
  /^INPUT_|^STATE_|^ACTIONS_/, // inputs, states and endpoints of a step
  /^GITHUB_(?:OUTPUT|ENV|PATH|STATE|STEP_SUMMARY|ARTIFACTS)$/, // files through which a step speaks to its runner
  /^JOULEDIFF_/, // marks of a joulediff around this one
  FOLDERS,
  /^GIT_CONFIG_(?:COUNT|KEY_|VALUE_|PARAMETERS)/, // may carry the header of a checkout
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DOCKER_AUTH_CONFIG|DBUS_SESSION_BUS_ADDRESS|KRB5CCNAME)$/,
];

export interface WorkloadEnvironment {
  /** Variables that processes on the host inherit, including `passed`. */
  readonly inherited: Readonly<Record<string, string>>;
  /** Variables that `pass-env` names, for workloads in every place. */
  readonly passed: Readonly<Record<string, string>>;
  /** Names of withheld variables, without those that every job has. */
  readonly withheld: readonly string[];
}

/** Variables of the caller that a workload gets. Throws InputError where one that is to be passed isn't set. */
export function workloadEnvironment(env: Env, passEnv: readonly string[] = []): WorkloadEnvironment {
  const passed: Record<string, string> = {};
  const missing = passEnv.filter((name) => env[name] === undefined);
  if (missing.length > 0) {
    throw new InputError(
      `pass-env names ${listed(missing)}, which ${missing.length === 1 ? 'is' : 'are'} not set here.`,
      {
        advice:
          'Set it where joulediff is started (in a workflow, under env of its step), or leave it out of pass-env.',
      },
    );
  }
  for (const name of passEnv) passed[name] = env[name] as string;
  rememberSecrets(passEnv.map((name) => (isSecretName(name) ? env[name] : undefined)));
  const names = Object.keys(env).filter((name) => env[name] !== undefined);
  const [kept, withheld] = partition(
    names,
    isJob(env) ? passesInJob : (name) => passesAtTerminal(name, env[name] ?? ''),
  );
  const inherited = Object.fromEntries(kept.map((name) => [name, env[name] as string]));
  return {
    inherited: { ...inherited, ...passed },
    passed,
    withheld: withheld.filter(
      (name) =>
        !(name in passed || FOLDERS.test(name) || /^(?:GITHUB|RUNNER|ACTIONS|INPUT|STATE|JOULEDIFF)_|^_$/.test(name)),
    ),
  };
}

/** Options by which a command of the user's starts in a folder, of which its variables tell unless they have another. */
export function inFolder(cwd: string, env: Readonly<Record<string, string>>) {
  return { cwd, env: { PWD: cwd, ...env } };
}

const passesInJob = (name: string): boolean => IN_JOBS.some((pattern) => pattern.test(name));

function passesAtTerminal(name: string, value: string): boolean {
  return !AT_TERMINAL.some((pattern) => pattern.test(name)) && !isSecretName(name) && !isSecretValue(value);
}

function partition(names: readonly string[], test: (name: string) => boolean): [string[], string[]] {
  return [names.filter(test), names.filter((name) => !test(name))];
}

export type Stage = 'prepare' | 'run' | 'cleanup' | 'service' | 'hook';

export interface RunIdentity {
  readonly experimentId: string;
  readonly runId: number;
  readonly variant: string;
  /** Name of one of several processes of the same stage; absent: there is only one. */
  readonly part?: string;
}

/** The variable that tells a client where its services are. */
export function serviceHostMark(serviceHost: (() => string) | undefined): Record<string, string> {
  return serviceHost === undefined ? {} : { JOULEDIFF_SERVICE_HOST: serviceHost() };
}

/** Name of the variable that holds the address of a service on another machine. */
export const serviceHostName = (service: string): string =>
  `JOULEDIFF_SERVICE_HOST_${service.replace(/[^A-Za-z0-9]/g, '_').toUpperCase()}`;

/** Variables that tell a workload which run it is part of; left-over processes are also found by them. */
export function runMarks(identity: RunIdentity, stage: Stage): Record<string, string> {
  return {
    JOULEDIFF_EXPERIMENT: identity.experimentId,
    JOULEDIFF_RUN: String(identity.runId),
    JOULEDIFF_VARIANT: identity.variant,
    JOULEDIFF_STAGE: stage,
    ...(identity.part !== undefined && { JOULEDIFF_PART: identity.part }),
  };
}

/** The marks of a process on the host, which name their owner so that a later start can tell whether anybody still waits for it. */
export function hostMarks(identity: RunIdentity, stage: Stage): Record<string, string> {
  return { ...runMarks(identity, stage), JOULEDIFF_OWNER: ownerToken() };
}
