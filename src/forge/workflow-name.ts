import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { field, text } from './untrusted.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Where forges look for workflows, each with what is its own first. */
const FOLDERS = ['.forgejo/workflows', '.gitea/workflows', '.github/workflows'];
const MAX_FILES = 200;
const MAX_BYTES = 1e6;

/**
 * What GitHub calls a job's workflow: its name, else the path of its file. The executor of Gitea and Forgejo leaves out both; there the
 * file is looked for in what the job checked out. Empty where that does not tell. Never throws.
 */
export function workflowName(env: Env): string {
  return text(env.GITHUB_WORKFLOW, 300) || pathInRef(env.GITHUB_WORKFLOW_REF) || unnamedWorkflow(env);
}

/** `.github/workflows/x.yml` of `owner/name/.github/workflows/x.yml@refs/pull/1/merge`, whose end is another one in each pull request. */
function pathInRef(ref: string | undefined): string {
  return /^[^/@]+\/[^/@]+\/([^@]{1,300})@/.exec(ref ?? '')?.[1] ?? '';
}

/** The file without a name that has this job, and of several the one with a step that asks for what this step was asked. */
function unnamedWorkflow(env: Env): string {
  const { GITHUB_WORKSPACE: workspace, GITHUB_JOB: job } = env;
  if (!workspace || !job) return '';
  for (const folder of FOLDERS) {
    const found = filesIn(join(workspace, folder)).flatMap((file) => {
      const workflow = readWorkflow(join(workspace, folder, file));
      const steps = field(workflow, 'jobs', job, 'steps');
      if (field(workflow, 'name') || !Array.isArray(steps)) return [];
      return { path: `${folder}/${file}`, agreement: Math.max(-1, ...steps.map((step) => agreement(step, env))) };
    });
    const most = Math.max(...found.map((each) => each.agreement));
    const [only, ...others] = found.filter((each) => each.agreement === most);
    if (only !== undefined) return others.length === 0 ? only.path : '';
  }
  return '';
}

function filesIn(folder: string): string[] {
  try {
    const files = readdirSync(folder).filter((file) => /\.ya?ml$/.test(file));
    return files.sort().slice(0, MAX_FILES);
  } catch {
    return [];
  }
}

/** A pull request may lay anything there: what is no workflow is none. */
function readWorkflow(path: string): unknown {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_BYTES ? parse(readFileSync(path, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

/** Inputs that a step gives literally and that this step has; −1: it gives another value, or uses no action. */
function agreement(step: unknown, env: Env): number {
  if (typeof field(step, 'uses') !== 'string') return -1;
  const literal = Object.entries(field(step, 'with') ?? {}).filter(([, value]) => !String(value).includes('${{'));
  const differs = literal.some(([name, value]) => {
    const given = env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`] ?? '';
    return given.trim() !== String(value ?? '').trim();
  });
  return differs ? -1 : literal.length;
}
