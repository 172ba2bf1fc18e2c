import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { getErrorCode, InputError, messageOf } from '../../../errors.ts';
import { makeFolder } from '../../../system/make-folder.ts';
import { command } from '../../../terminal/command.ts';
import { DEFAULT_FILE } from '../../../terminal/options.ts';
import { printAnswer, type Terminal } from '../../../terminal/terminal.ts';
import { visible } from '../../../text/plain.ts';
import { REPOSITORY } from '../../../version.ts';
import { type FolderFacts, inspectFolder } from '../init/folder.ts';
import { experimentText, workflowText } from '../init/texts.ts';

export function initCommand(terminal: Terminal) {
  return command(
    'init',
    'write an experiment file and a workflow that suit this folder and the meters of this machine; overwrite nothing',
  ).action(async ({ json = false }) => {
    const found = await inspectFolder('.');
    const tell = (text: string): unknown => json || terminal.stdout.write(text);
    tell(`${foundLines(found).join('\n')}\n\n`);
    const files = [
      { path: DEFAULT_FILE, text: experimentText(found) },
      { path: `${found.workflows}/energy.yml`, text: workflowText(found) },
    ];
    const done = [];
    for (const { path, text } of files) {
      const written = await writeNew(path, text);
      done.push({ path, written });
      tell(`${written ? 'Wrote' : 'Left as it is:'} ${path}\n`);
    }
    if (json) printAnswer(terminal, 'init', { files: done });
    tell(
      `\nNext: joulediff plan shows what would run, and for how long; joulediff run measures. Results go into joulediff-out: a line for .gitignore.\n${
        REPOSITORY.startsWith('OWNER/')
          ? 'In the workflow, replace OWNER with the account or organization that you use joulediff from.\n'
          : ''
      }`,
    );
  });
}

function foundLines({ command, suite, dockerfile, compose, branch, meter }: FolderFacts): string[] {
  return [
    'Found here',
    suite === null
      ? `  benchmark   ${command === null ? 'none: put your command into the files' : visible(`${command.run} (${command.where})`)}`
      : `  suite       ${visible(`${suite.harness} (${suite.where})`)}`,
    `  Dockerfile  ${dockerfile === null ? 'none' : visible(dockerfile)}`,
    ...(compose === null
      ? []
      : [`  Compose     ${visible(compose)}: a variant can be run in it, see compose in the file`]),
    `  repository  ${branch === null ? 'none at this folder' : `pull requests go into ${visible(branch)}`}`,
    `  meter       ${visible(meter.sentence)}`,
  ];
}

/** Writes a new file. False: a file exists, and is kept. Throws InputError. */
async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    makeFolder(dirname(resolve(path)));
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (getErrorCode(error) === 'EEXIST') return false;
    throw new InputError(`${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
