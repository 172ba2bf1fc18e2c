import { isAbsolute } from 'node:path';

/** Replaces the path of the job's workspace by the repository's name, since some runners give each job a folder of its own. */
export function withoutWorkspace(text: string): string {
  const { GITHUB_WORKSPACE: folder = '', GITHUB_REPOSITORY: repository = '' } = process.env;
  if (!isAbsolute(folder) || folder === '/' || repository === '') return text;
  return text.replaceAll(folder, `the repository ${repository}`);
}
