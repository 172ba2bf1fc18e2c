import { join } from 'node:path';

/** Files and folders of a result. Contract: scripts of users open them by these names. */
export const RESULT_FILES = {
  database: 'experiment.db',
  findings: 'findings.json',
  comment: 'comment.md',
  summary: 'summary.md',
  report: 'report.html',
  badgeJson: 'badge.json',
  badgeSvg: 'badge.svg',
  historyPage: 'history.html',
  historyCsv: 'history.csv',
  runs: 'runs.csv',
  phases: 'phases.csv',
  samples: 'samples.csv',
  explain: 'explain.json',
  confirm: 'confirm.yml',
  experiment: 'experiment.yml',
  charts: 'charts',
  profiles: 'profiles',
  logs: 'logs',
} as const;

/** Files that SQLite may leave beside the database when a process is killed. */
export const DATABASE_SIDES = ['-wal', '-shm', '-journal'].map((end) => RESULT_FILES.database + end);

export const resultPath = (folder: string, file: keyof typeof RESULT_FILES): string => join(folder, RESULT_FILES[file]);

/** Log with all output of a service, beside the log of its run. */
export const serviceLog = (runLog: string, service: string): string => runLog.replace(/\.log$/, `.${service}.log`);

/** Log with all output of a run. `run` is its number in the database. */
export function logPath(folder: string, run: number, variant: string): string {
  const name = variant.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 60);
  return join(resultPath(folder, 'logs'), `${String(run).padStart(4, '0')}-${name}.log`);
}
