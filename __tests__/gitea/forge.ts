import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { removeImages } from '../e2e/program.ts';
import { type RunningGitea, startServer } from './real.ts';
import { pushActions } from './repositories.ts';
import { type MeasuringMachine, startMachine } from './runner.ts';

/** A forge with the actions in it, and one machine that measures for it. */
export interface Forge {
  readonly gitea: RunningGitea;
  readonly machine: MeasuringMachine;
  /** A new folder for a clone; what is built from it goes with the forge. */
  folder(name: string): string;
  /** Another machine, which is stopped with the forge; `options` are of its emulated meter. */
  addMachine(name: string, labels: readonly string[], options?: readonly string[]): Promise<MeasuringMachine>;
  stop(): Promise<void>;
}

/**
 * The workflows of `examples/` on a real Gitea, by a runner with Gitea's executor, on machines whose meters are emulated: a forge that was
 * built before, and everything that is tried on it.
 */
export function onForge(title: string, scenarios: readonly ((forge: () => Forge, program: string) => void)[]): void {
  const [home, program] = [process.env.JOULEDIFF_TEST_GITEA, process.env.JOULEDIFF_TEST_GITEA_RUNNER];
  describe(title, () => {
    if (!home || !program) {
      it.skip('is not there: npm test -- __tests__/gitea builds both where Go and its module proxy can be reached', () =>
        undefined);
      return;
    }
    let forge: Forge;
    beforeAll(async () => {
      forge = await startForge(home, program);
    }, 600_000);
    afterAll(() => forge?.stop());
    for (const scenario of scenarios) scenario(() => forge, program);
  });
}

async function startForge(home: string, program: string): Promise<Forge> {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-forge-'));
  const gitea = await startServer(home);
  const machines: MeasuringMachine[] = [];
  const clones = new Set<string>();
  const place = (name: string): string => {
    const path = join(folder, name);
    clones.add(path);
    return path;
  };
  const addMachine = async (name: string, labels: readonly string[], options: readonly string[] = []) => {
    const machine = await startMachine({ gitea, program, name, labels, options });
    machines.push(machine);
    return machine;
  };
  const stop = async () => {
    for (const machine of machines) await machine.stop();
    await gitea.close();
    // What was measured was built from a clone, on whichever machine.
    for (const path of clones) removeImages(path);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await pushActions(join(folder, 'actions'), gitea);
    const machine = await addMachine('shelf', ['self-hosted', 'joulediff', 'shelf', 'ubuntu-latest']);
    return { gitea, machine, folder: place, addMachine, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const LONGEST_MS = 240_000;

/** Asks until there is an answer. Nothing here is over at a certain time, only at last. */
export async function until<T>(what: string, ask: () => Promise<T | null> | T | null): Promise<T> {
  const end = Date.now() + LONGEST_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > end) throw new Error(`${what}: not within ${LONGEST_MS / 1000} s`);
    await sleep(400);
  }
}

export interface WorkflowRun {
  readonly id: number;
  readonly status: string;
  readonly conclusion: string | null;
  readonly head_sha: string;
  readonly event: string;
  readonly path: string;
}

/** The newest run of a workflow file for a commit, when it has ended. */
export const endedRun = (gitea: RunningGitea, repository: string, file: string, sha: string): Promise<WorkflowRun> =>
  until(`the run of ${file} for ${sha}`, async () => {
    const runs = await runsOf(gitea, repository, file, sha);
    return runs.find(({ status }) => status === 'completed') ?? null;
  });

/** The run when it has ended well; else an error with its log. */
export async function succeededRun(
  gitea: RunningGitea,
  repository: string,
  file: string,
  sha: string,
): Promise<WorkflowRun> {
  const run = await endedRun(gitea, repository, file, sha);
  if (run.conclusion === 'success') return run;
  throw new Error(`${file} ended with ${run.conclusion}: ${await logsOf(gitea, repository, run.id)}`);
}

export async function runsOf(
  gitea: RunningGitea,
  repository: string,
  file: string,
  sha: string,
): Promise<WorkflowRun[]> {
  const { workflow_runs: all } = await gitea.api<{ workflow_runs: WorkflowRun[] }>(
    'GET',
    `repos/${repository}/actions/runs?head_sha=${sha}`,
  );
  return all.filter(({ path }) => path.startsWith(`${file}@`));
}

/** Opens a pull request from a terminal. A pushed branch is known to the forge a moment later. */
export function openPullRequest(
  gitea: RunningGitea,
  repository: string,
  head: string,
  token = gitea.token,
): Promise<{ number: number }> {
  const request = { title: `Merge ${head}`, head, base: 'main' };
  return until(`the pull request of ${head}`, () =>
    gitea.api<{ number: number }>('POST', `repos/${repository}/pulls`, request, token).catch((error) => {
      if (String(error).includes(': 404 ')) return null;
      throw error;
    }),
  );
}

export interface Comment {
  readonly id: number;
  readonly body: string;
  readonly user: { readonly login: string };
}

export const commentsOf = (gitea: RunningGitea, repository: string, pullRequest: number): Promise<Comment[]> =>
  gitea.api('GET', `repos/${repository}/issues/${pullRequest}/comments`);

/** What the jobs of a run printed, from the forge. */
export async function logsOf(gitea: RunningGitea, repository: string, run: number): Promise<string> {
  const { jobs } = await gitea.api<{ jobs: { id: number }[] }>('GET', `repos/${repository}/actions/runs/${run}/jobs`);
  const logs = jobs.map(async ({ id }) => {
    const answer = await fetch(`${gitea.url}/api/v1/repos/${repository}/actions/jobs/${id}/logs`, {
      headers: { authorization: `token ${gitea.token}` },
    });
    return answer.text();
  });
  return (await Promise.all(logs)).join('\n');
}
