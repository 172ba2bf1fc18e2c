import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/** Name of the user who runs joulediff, or the user id if passwd has no entry. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

/** Home folder of the user: HOME if it is an absolute path, else from passwd. Null: there is none. */
export function homeFolder(): string | null {
  // Without HOME and without an entry in passwd, both throw.
  for (const read of [homedir, () => userInfo().homedir]) {
    try {
      const folder = read();
      if (isAbsolute(folder)) return folder;
    } catch {}
  }
  return null;
}
