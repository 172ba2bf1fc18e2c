/**
 * Names of a run's artifacts: `joulediff`; `joulediff-KEY` for a job of a matrix; a later attempt adds `-attempt-N` if the first
 * name is taken. A page for the browser ends in `.html`, and contains no data.
 */

/** Artifact name of a job: the input's, with the key of a matrix job. */
export function artifactName(name: string, commentKey: string): string {
  const key = commentKey
    .replace(/[^\w.-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return key === '' ? name : `${name}-${key}`;
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
  const newest = new Map<string, { attempt: number; artifact: T }>();
  for (const artifact of artifacts) {
    const { name } = artifact;
    if ((name !== wanted && !name.startsWith(`${wanted}-`)) || name.endsWith('.html')) continue;
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
