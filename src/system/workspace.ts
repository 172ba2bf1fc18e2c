import { isAbsolute } from 'node:path';

/** A text in which the folder of a job's workspace is the name of its repository: some runners give each job a folder of its own. */
export function withoutWorkspace(text: string): string {
  const { GITHUB_WORKSPACE: folder = '', GITHUB_REPOSITORY: repository = '' } = process.env;
  if (!isAbsolute(folder) || folder === '/' || repository === '') return text;
  return text.replaceAll(folder, `the repository ${repository}`);
}
