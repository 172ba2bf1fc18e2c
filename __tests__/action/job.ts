import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';

/** A job's folder, environment and log, for the modes that run in this process. */
export interface FakeJob {
  readonly folder: string;
  /** What was printed. */
  log(): string;
  write(name: string, content: string): string;
  summary(): string;
  /** As the runner takes them: the last of a name wins. */
  outputs(): Record<string, string>;
  /** Whether the step has failed. */
  failed(): boolean;
  end(): void;
}

/** Starts a job of octo/demo with this event; its environment is `process.env` until `end`. */
export function startJob(eventName: string, event: unknown, env: Readonly<Record<string, string>>): FakeJob {
  const before = { ...process.env };
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-job-'));
  const printed: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => printed.push(String(chunk)) > 0);
  const write = (name: string, content: string) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  Object.assign(process.env, {
    GITHUB_REPOSITORY: 'octo/demo',
    GITHUB_RUN_ID: '900',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_WORKFLOW: 'Publish energy',
    GITHUB_JOB: 'publish',
    GITHUB_EVENT_NAME: eventName,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_EVENT_PATH: write('event.json', JSON.stringify(event)),
    GITHUB_STEP_SUMMARY: write('summary', ''),
    GITHUB_OUTPUT: write('output', ''),
    ...env,
  });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    folder,
    log: () => printed.join(''),
    write,
    summary: () => read('summary'),
    outputs: () =>
      Object.fromEntries(
        [...read('output').matchAll(/^(.+)<<(ghadelimiter_.+)\n([\s\S]*?)\n?\2$/gm)].map((m) => [m[1], m[3]]),
      ),
    failed: () => process.exitCode === 1,
    end: () => {
      jest.restoreAllMocks();
      process.env = before;
      process.exitCode = undefined;
      rmSync(folder, { recursive: true });
    },
  };
}
