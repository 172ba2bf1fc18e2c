import { leftNotes, makeNote, removeFolder } from './left-folders.ts';
import { endProcesses, findProcesses } from './left-processes.ts';
import { type IsAbandoned, ownerState, parseOwner, readStat } from './owner.ts';

const PREFIX = 'joulediff-session-';
const GRACE_MS = 1000;

/**
 * Records a session of processes on the host by its first process, so that a later start ends it if this process is killed: servers overwrite the
 * environment that holds their mark. Gives a function that forgets the session; records nothing where nothing can be written.
 */
export function rememberSession(pid: number, experimentId: string): () => void {
  try {
    const folder = makeNote(PREFIX, experimentId, { session: pid, startTicks: readStat(pid)?.startTicks ?? '' });
    return () => void removeFolder(folder);
  } catch {
    // Nothing can be written: the processes can still be found by their marks in the environment.
    return () => {};
  }
}

/** Ends the sessions that killed processes left since the last boot, by which numbers are given anew. Gives a line for the log for each process. */
export async function endLeftSessions(isAbandoned: IsAbandoned): Promise<string[]> {
  const lines: string[] = [];
  for (const { path, mark } of leftNotes(PREFIX, isAbandoned)) {
    const { session, startTicks } = mark;
    const owner = parseOwner(String(mark.owner));
    if (owner !== null && ownerState(owner) === 'dead' && typeof session === 'number') {
      const names = await endProcesses(() => membersOf(session, String(startTicks)), GRACE_MS);
      lines.push(...names.map((name) => `Ended the process ${name} that an earlier experiment left.`));
    }
    removeFolder(path);
  }
  return lines;
}

/** Processes of a session. Its number is not reused while it exists: another start of the first process means another session. */
function membersOf(session: number, startTicks: string): number[] {
  if ((readStat(session)?.startTicks ?? startTicks) !== startTicks) return [];
  return findProcesses((found) => found.session === session);
}
