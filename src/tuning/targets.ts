import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { MachineFiles } from '../machine/files.ts';
import { askProgram } from '../processes/ask-program.ts';

export const [ACTIVE, INACTIVE] = ['active', 'inactive'] as const;

/** What settings are made of: files of the kernel, by their paths below the root, and units of systemd, by their names. */
export class Targets {
  readonly files: MachineFiles;

  constructor(files = new MachineFiles()) {
    this.files = files;
  }

  /** Whether systemd runs this machine. */
  get hasUnits(): boolean {
    return this.files.entries('run/systemd', /^system$/).length > 0;
  }

  /** Names of the timers of systemd that are active. */
  activeTimers(): string[] {
    const words = ['list-units', '--type=timer', `--state=${ACTIVE}`, '--plain', '--no-legend', '--no-pager'];
    return (askProgram('systemctl', words).stdout ?? '').split('\n').flatMap((line) => /^\S+\.timer/.exec(line) ?? []);
  }

  /** The value of a file, or whether a unit is active; null: it can't be read, or there is no such file. */
  read(target: string): string | null {
    if (!isUnit(target)) return this.files.text(target);
    return askProgram('systemctl', ['is-active', '--quiet', target]).status === 0 ? ACTIVE : INACTIVE;
  }

  /** Throws what the system says, or an error where the value that is then read is another one. */
  set(target: string, value: string): void {
    if (isUnit(target)) {
      const verb = value === ACTIVE ? 'start' : 'stop';
      const { error, status, stderr } = askProgram('systemctl', ['--no-ask-password', verb, target]);
      if (error !== undefined) throw error;
      if (status !== 0) throw new Error(stderr.trim() || `systemctl ${verb} ended with exit code ${status}`);
    } else {
      // Without O_CREAT: a file that is gone must not be made.
      const file = openSync(this.files.path(target), constants.O_WRONLY | constants.O_TRUNC);
      try {
        writeSync(file, value);
      } finally {
        closeSync(file);
      }
    }
    const now = this.read(target);
    if (now !== value) throw new Error(`it is ${now ?? 'not readable'} afterwards`);
  }

  /** Opens a file for writing, and changes nothing. Throws what the system says. Whether a unit may be stopped shows only when it is. */
  checkRights(target: string): void {
    if (!isUnit(target)) closeSync(openSync(this.files.path(target), constants.O_WRONLY));
  }

  /** The name of a target in messages. */
  name(target: string): string {
    return isUnit(target) ? target : this.files.path(target);
  }
}

const isUnit = (target: string): boolean => /\.(timer|service)$/.test(target);
