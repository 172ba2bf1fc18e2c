import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY } from '../../src/version.ts';
import { copyAction } from '../e2e/act.ts';
import { markImages } from '../e2e/program.ts';
import type { RunningGitea } from './real.ts';

/** A clone from which a test pushes, as a person does from a terminal. */
export interface Clone {
  readonly folder: string;
  write(path: string, text: string): void;
  git(...words: string[]): string;
  /** Commits everything and pushes it to a branch. Gives the commit. */
  push(branch: string, message: string): string;
}

/** What git reads besides the clone itself: nothing of whoever runs the tests. */
const GIT_ENV = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };

export function newClone(folder: string, gitea: RunningGitea, repository: string, token = gitea.token): Clone {
  mkdirSync(folder, { recursive: true });
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe', env: { ...process.env, ...GIT_ENV } });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'test');
  git('config', 'user.email', 'test@example.test');
  const { host } = new URL(gitea.url);
  git('remote', 'add', 'origin', `http://test:${token}@${host}/${repository}.git`);
  return {
    folder,
    git,
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    push: (branch, message) => {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      git('push', '-q', 'origin', `HEAD:${branch}`);
      return git('rev-parse', 'HEAD').trim();
    },
  };
}

const CHECKOUT = `name: checkout
description: What is needed of actions/checkout.
inputs:
  token: { default: '\${{ github.token }}' }
  fetch-depth: { default: '1' }
  ref: { default: '' }
  persist-credentials: { default: 'true' }
runs:
  using: composite
  steps:
    - shell: sh
      env:
        TOKEN: '\${{ inputs.token }}'
        DEPTH: '\${{ inputs.fetch-depth }}'
        REF: '\${{ inputs.ref }}'
      run: |
        git init -q .
        git remote add origin "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"
        if [ "$DEPTH" = 0 ]; then set --; else set -- --depth "$DEPTH"; fi
        git -c "http.extraheader=Authorization: Basic $(printf 'x:%s' "$TOKEN" | base64 -w0)" fetch -q "$@" origin "\${REF:-$GITHUB_SHA}"
        git checkout -q FETCH_HEAD
`;

/** Lays the two actions that the examples name into the forge: actions/checkout, and this project as a release ships it. */
export async function pushActions(folder: string, gitea: RunningGitea): Promise<void> {
  for (const [organization, name] of [['actions', 'checkout'], REPOSITORY.split('/')] as [string, string][]) {
    await gitea.api('POST', 'orgs', { username: organization });
    await gitea.api('POST', `orgs/${organization}/repos`, { name, default_branch: 'main' });
    const clone = newClone(join(folder, name), gitea, `${organization}/${name}`);
    if (name === 'checkout') clone.write('action.yml', CHECKOUT);
    else copyAction(clone.folder);
    clone.push('main', 'Release');
    clone.git('push', '-q', 'origin', 'HEAD:refs/tags/v1');
  }
}

/** A workload with a container of its own, which every machine can build: what is measured takes as long as it is told to. */
export function writeWorkload(clone: Clone): void {
  mkdirSync(join(clone.folder, 'bin'));
  copyFileSync('/bin/busybox', join(clone.folder, 'bin', 'busybox'));
  symlinkSync('busybox', join(clone.folder, 'bin', 'sh'));
  clone.write('bench.sh', '#!/bin/sh\n/bin/busybox sleep 1.5\necho done\n');
  chmodSync(join(clone.folder, 'bench.sh'), 0o755);
  clone.write('Dockerfile', `FROM scratch\n${markImages(clone.folder)}COPY bin /bin\nCOPY bench.sh /w/\nWORKDIR /w\n`);
}

/** As short as the emulated meter allows, and no more than one block of it. */
const SHORT = { repetitions: 1, warmup: 0, rest: '1600ms', guard: '1600ms' };

interface Step {
  run?: string;
  uses?: string;
  with?: Record<string, unknown>;
}

/** A workflow of `examples/`, with this meter, its actions where the forge has them, and what is measured made short. */
export function exampleWorkflow(name: string, meter: string, inputs: Readonly<Record<string, unknown>> = {}): Workflow {
  const workflow: Workflow = parse(readFileSync(`examples/workflows/${name}.yml`, 'utf8'));
  for (const step of Object.values(workflow.jobs).flatMap(({ steps }) => steps)) {
    if (step.uses?.startsWith('actions/checkout@')) step.uses = 'actions/checkout@v1';
    if (step.with?.run === undefined && step.with?.config === undefined) continue;
    step.with = { ...step.with, meter, ...SHORT, ...inputs };
  }
  return workflow;
}

export interface Workflow {
  name?: string;
  jobs: Record<string, { 'runs-on': unknown; steps: Step[]; [key: string]: unknown }>;
  [key: string]: unknown;
}

/** JSON is YAML. */
export function writeWorkflow(clone: Clone, file: string, workflow: Workflow): void {
  clone.write(`.gitea/workflows/${file}`, JSON.stringify(workflow, null, 2));
}
