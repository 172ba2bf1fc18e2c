import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { field, text } from './untrusted.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Folders of workflows, with a forge's own folder first. */
const FOLDERS = ['.forgejo/workflows', '.gitea/workflows', '.github/workflows'];
const MAX_FILES = 200;
const MAX_BYTES = 1e6;

/**
 * GitHub's name of a job's workflow: its name, else the path of its file. Gitea's and Forgejo's runners provide neither, so
 * the file is searched in the checkout. Empty if it is not found. Never throws.
 */
export function workflowName(env: Env): string {
  return text(env.GITHUB_WORKFLOW, 300) || pathInRef(env.GITHUB_WORKFLOW_REF) || unnamedWorkflow(env);
}

/** `.github/workflows/x.yml` from `owner/name/.github/workflows/x.yml@refs/pull/1/merge`, whose end differs between pull requests. */
function pathInRef(ref: string | undefined): string {
  return /^[^/@]+\/[^/@]+\/([^@]{1,300})@/.exec(ref ?? '')?.[1] ?? '';
}

/** The unnamed workflow file with this job; of several, the one whose step has the same inputs as this step. */
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

/** A workflow file; null: it is not valid, since a pull request may contain anything. */
function readWorkflow(path: string): unknown {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_BYTES ? parse(readFileSync(path, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

/** Number of a step's literal inputs that equal this step's; −1: one differs, or it uses no action. */
function agreement(step: unknown, env: Env): number {
  if (typeof field(step, 'uses') !== 'string') return -1;
  const literal = Object.entries(field(step, 'with') ?? {}).filter(([, value]) => !String(value).includes('${{'));
  const differs = literal.some(([name, value]) => {
    const given = env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`] ?? '';
    return given.trim() !== String(value ?? '').trim();
  });
  return differs ? -1 : literal.length;
}
