import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/** Name of the user who started joulediff; the number of one without an entry in passwd. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

/** Home folder of the user: HOME where it is an absolute path, else that of passwd. Null: there is none. */
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
