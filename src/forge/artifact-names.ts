import { createHash } from 'node:crypto';

/**
 * Names of a run's artifacts: `joulediff`; `joulediff-KEY` for a job of a matrix; a later attempt adds `-attempt-N` if the first
 * name is taken. A page for the browser ends in `.html`, and contains no data.
 */

/** Keys that are part of a name as they are: short, without other characters, and with no ending that has a meaning in names. */
const PLAIN_KEY = /^(?!-|.*(?:-|\.html)$|(?:.*-)?attempt-\d+$)[\w.-]{1,60}$/;

/** Name of a job's artifact: the input `artifact` and the comment key. A key with characters that names can't have is changed, and gets a digest, so that two keys never give one name. */
export function artifactName(name: string, commentKey: string): string {
  if (commentKey === '') return name;
  if (PLAIN_KEY.test(commentKey)) return `${name}-${commentKey}`;
  const key = commentKey
    .replace(/[^\w.-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  const digest = createHash('sha256').update(commentKey).digest('hex').slice(0, 8);
  return [name, key, digest].filter((part) => part !== '').join('-');
}

export function nameOfAttempt(name: string, attempt: number): string {
  return `${name}-attempt-${attempt}`;
}

/** Name of the page's artifact, which must be a valid file name too. */
export function pageName(name: string): string {
  return `${name}.html`;
}

export interface Named {
  readonly id: number;
  readonly name: string;
}

/** The newest artifact of each job named `wanted` or `wanted-…`, in the order of their names. */
export function newestOfEach<T extends Named>(artifacts: readonly T[], wanted: string): T[] {
  const isWanted = (name: string) => (name === wanted || name.startsWith(`${wanted}-`)) && !name.endsWith('.html');
  return newestAttempts(artifacts.filter(({ name }) => isWanted(name)));
}

/** The newest artifact of each name without its attempt, in the order of their names. */
export function newestAttempts<T extends Named>(artifacts: readonly T[]): T[] {
  const newest = new Map<string, { attempt: number; artifact: T }>();
  for (const artifact of artifacts) {
    const { name } = artifact;
    const [, job = name, attempt = '1'] = /^(.+)-attempt-(\d{1,9})$/.exec(name) ?? [];
    const known = newest.get(job);
    const here = { attempt: Number(attempt), artifact };
    if (
      known === undefined ||
      here.attempt > known.attempt ||
      (here.attempt === known.attempt && artifact.id > known.artifact.id)
    ) {
      newest.set(job, here);
    }
  }
  return [...newest.values()].map(({ artifact }) => artifact).sort((a, b) => (a.name < b.name ? -1 : 1));
}
