import { InputError } from '../../errors.ts';
import { askProgram } from '../../processes/ask-program.ts';

/** A user other than joulediff's own that a native workload runs as. */
export interface HostUser {
  /** Words in front of a command that run it as this user, with this user's groups, and without a way to more rights. */
  readonly before: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
}

const SETPRIV = 'setpriv';

/**
 * The user that is given as `name`, `uid`, `name:group` or `uid:gid`; null: joulediff's own. Throws InputError for one that there isn't, and
 * where joulediff may not become another.
 */
export function findUser(given: string): HostUser | null {
  const [name = '', groupName] = given.split(':');
  const user = lookUp('passwd', name);
  const uid = Number(user?.[2] ?? name);
  if (user === null && !/^\d+$/.test(name))
    throw new InputError(`There is no user ${JSON.stringify(name)} on this machine.`);
  const group = groupName === undefined ? null : lookUp('group', groupName);
  if (groupName !== undefined && group === null && !/^\d+$/.test(groupName)) {
    throw new InputError(`There is no group ${JSON.stringify(groupName)} on this machine.`);
  }
  const gid = Number(group?.[2] ?? groupName ?? user?.[3] ?? uid);
  if (uid === process.geteuid?.() && gid === process.getegid?.()) return null;
  if (process.geteuid?.() !== 0) {
    throw new InputError(`The user ${JSON.stringify(given)} can be given only where joulediff is started as root.`, {
      advice: 'Start it with sudo, or leave user out: the workload then runs as the user who starts joulediff.',
    });
  }
  if (askProgram(SETPRIV, ['--version']).status !== 0) {
    throw new InputError('user needs the program setpriv, which was not found.', {
      advice: 'It is in util-linux 2.31 or newer.',
    });
  }
  const groups = user === null ? '--clear-groups' : '--init-groups';
  // setpriv itself would look a program up with root's rights, and stop at one that this user may not read.
  const before = [SETPRIV, `--reuid=${uid}`, `--regid=${gid}`, groups, '--no-new-privs', '--', 'env', '--'];
  const [login = String(uid), home = '/', shell = '/bin/sh'] = user === null ? [] : [user[0], user[5], user[6]];
  return { before, env: { HOME: home, USER: login, LOGNAME: login, SHELL: shell }, uid };
}

/** Fields of an entry, found by name or number; null: there is none. */
function lookUp(database: 'passwd' | 'group', key: string): readonly string[] | null {
  const { status, stdout } = askProgram('getent', [database, key]);
  return status === 0 ? stdout.trimEnd().split(':') : null;
}
