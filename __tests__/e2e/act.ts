import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { busyboxContext } from './program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Job {
  /** Empty folder for everything that the job needs and makes. */
  readonly folder: string;
  readonly apiUrl: string;
  /** Address of the artifact service; act hands it on to the action. */
  readonly artifactEnv: Readonly<Record<string, string>>;
  readonly token: string;
}

export interface ActResult {
  readonly code: number | null;
  /** What the steps printed, as the runner shows it: `***` in the place of secrets. */
  readonly printed: string;
  /** What act printed where it failed, else empty. */
  readonly trouble: string;
  readonly annotations: readonly string[];
  /** Job summaries, in order. */
  readonly summaries: readonly string[];
}

export interface JobResult extends ActResult {
  readonly outputs: Readonly<Record<string, string>>;
  readonly nodeVersion: string;
}

/** The action as a release ships it: action.yml and dist/. */
export function copyAction(folder: string): void {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'action.yml'), join(folder, 'action.yml'));
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
}

/** Makes a repository of what lies in the folder, as if cloned from octo/demo. */
export function commitAll(repository: string): void {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: repository, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', 'https://github.com/octo/demo.git');
  git('add', '-A');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.test', 'commit', '-q', '-m', 'Use the action');
}

/**
 * A repository with a workflow that uses the action as a release ships it: a folder with action.yml and dist/, and no
 * node_modules anywhere above it.
 */
export function makeRepository(job: Job, inputs: Readonly<Record<string, string>>): string {
  const repository = join(job.folder, 'repository');
  copyAction(join(repository, 'action-under-test'));
  busyboxContext(join(repository, 'image'));
  const workflow = {
    name: 'Energy',
    on: 'pull_request',
    permissions: { contents: 'read', 'pull-requests': 'write' },
    jobs: {
      measure: {
        'runs-on': 'self-hosted',
        steps: [
          { uses: 'actions/checkout@v5' },
          { run: `node --version > '${join(job.folder, 'node-version')}'` },
          { id: 'energy', uses: './action-under-test', with: inputs },
          {
            if: 'always()',
            // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow
            env: { OUTPUTS: '${{ toJSON(steps.energy.outputs) }}' },
            run: `printf '%s' "$OUTPUTS" > '${join(job.folder, 'outputs.json')}'`,
          },
        ],
      },
    },
  };
  mkdirSync(join(repository, '.github', 'workflows'), { recursive: true });
  // JSON is YAML.
  writeFileSync(join(repository, '.github', 'workflows', 'energy.yml'), JSON.stringify(workflow, null, 2));
  commitAll(repository);
  return repository;
}

export interface Run {
  readonly id: number;
  readonly fork?: boolean;
  /** For expressions of the workflow. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the workflow of `makeRepository` for a pull request, on this host. */
export async function runJob(job: Job, run: Run): Promise<JobResult> {
  const head = { sha: 'e'.repeat(40), repo: { full_name: run.fork ? 'eve/demo' : 'octo/demo' } };
  const event = { pull_request: { number: 5, head, base: { ref: 'main' } } };
  const log = await runAct(job, { id: run.id, eventName: 'pull_request', event, env: run.env });
  return {
    ...log,
    outputs: JSON.parse(readFileSync(join(job.folder, 'outputs.json'), 'utf8')),
    nodeVersion: readFileSync(join(job.folder, 'node-version'), 'utf8').trim(),
  };
}

export interface ActRun {
  readonly id: number;
  readonly eventName: string;
  readonly event: object;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Options of act, beside those that every run has. */
  readonly words?: readonly string[];
}

/** Runs the workflows of the repository in `job.folder` for this event, with every runner being this host. */
export async function runAct(job: Job, run: ActRun): Promise<ActResult> {
  const event = join(job.folder, 'event.json');
  writeFileSync(event, JSON.stringify(run.event));
  const words = [
    run.eventName,
    ...['-P', 'self-hosted=-self-hosted', '-P', 'ubuntu-latest=-self-hosted'],
    ...['--eventpath', event],
    ...['--secret', `GITHUB_TOKEN=${job.token}`],
    ...['--env', `GITHUB_API_URL=${job.apiUrl}`],
    ...['--env', `GITHUB_RUN_ID=${run.id}`],
    ...Object.entries(run.env ?? {}).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...['--artifact-server-path', join(job.folder, 'unused')],
    ...['--artifact-server-addr', '127.0.0.1', '--artifact-server-port', '0'],
    ...['--action-cache-path', join(job.folder, 'cache')],
    ...(run.words ?? []),
    '--no-cache-server',
    '--json',
  ];
  const env = {
    ...process.env,
    ...job.artifactEnv,
    // act runs the first node on PATH, whatever action.yml says.
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: job.folder,
    XDG_CONFIG_HOME: join(job.folder, 'config'),
    NODE_OPTIONS: '',
    JOULEDIFF_LOCK: `joulediff.test.act.${process.pid}`,
  };
  const child = spawn('act', words, { cwd: join(job.folder, 'repository'), env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
    });
  }
  const code = await new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done));
  const lines = log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const reported = (command: string) => lines.filter((line) => line.command === command);
  return {
    code,
    printed: lines.map((line) => (line.raw_output ? line.msg : '')).join(''),
    trouble: code === 0 ? '' : log,
    annotations: ['notice', 'warning', 'error'].flatMap((kind) => reported(kind).map((line) => `${kind}: ${line.arg}`)),
    summaries: reported('summary').map((line) => line.content),
  };
}
