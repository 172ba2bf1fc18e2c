import type { Command } from '../../contracts/variant.ts';
import { leftNotes, makeNote, removeFolder } from '../../processes/left-folders.ts';
import type { IsAbandoned } from '../../processes/owner.ts';

const PREFIX = 'joulediff-due-';

/** A command that puts something back, and that only this process would run. */
export interface DueCommand {
  /** `The hook after-all`. */
  readonly what: string;
  readonly experiment: string;
  readonly experimentId: string;
  readonly directory: string;
  readonly run: Command;
}

/** Records that a command is to be run later, so that its absence is reported if this process is killed before. Gives a function that forgets it. */
export function rememberDue({ experimentId, ...due }: DueCommand): () => void {
  try {
    const folder = makeNote(PREFIX, experimentId, { due });
    return () => void removeFolder(folder);
  } catch {
    // Nothing can be written, so nothing is forgotten later.
    return () => {};
  }
}

/** Reports, once, commands that killed processes did not run: it is unknown whether they would still be right. Gives a line for the log for each. */
export function tellDue(isAbandoned: IsAbandoned): string[] {
  return leftNotes(PREFIX, isAbandoned).flatMap(({ path, mark }) => {
    removeFolder(path);
    const { what, experiment, directory, run } = (mark.due ?? {}) as Partial<DueCommand>;
    if ([what, experiment, directory].some((text) => typeof text !== 'string') || run === undefined) return [];
    const command = typeof run === 'string' ? run : run.join(' ');
    return [
      `${what} of the experiment ${JSON.stringify(experiment)} was not run, because joulediff was killed. If it is still needed, run it in ${directory}: ${command}`,
    ];
  });
}
