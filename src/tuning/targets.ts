import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { MachineFiles } from '../machine/files.ts';
import { askProgram } from '../processes/ask-program.ts';

export const [ACTIVE, INACTIVE] = ['active', 'inactive'] as const;

/** Access to what settings change: kernel files, by their paths below the root, and systemd units, by their names. */
export class Targets {
  readonly files: MachineFiles;

  constructor(files = new MachineFiles()) {
    this.files = files;
  }

  /** Whether systemd manages this machine. */
  get hasUnits(): boolean {
    return this.files.entries('run/systemd', /^system$/).length > 0;
  }

  /** Names of the timers of systemd that are active. */
  activeTimers(): string[] {
    const words = ['list-units', '--type=timer', `--state=${ACTIVE}`, '--plain', '--no-legend', '--no-pager'];
    return (askProgram('systemctl', words).stdout ?? '').split('\n').flatMap((line) => /^\S+\.timer/.exec(line) ?? []);
  }

  /** The value of a file, or the state of a unit; null: it can't be read or doesn't exist. */
  read(target: string): string | null {
    if (!isUnit(target)) return this.files.text(target);
    return askProgram('systemctl', ['is-active', '--quiet', target]).status === 0 ? ACTIVE : INACTIVE;
  }

  /** Sets a target. Throws the system's error, or an Error if the value read back differs. */
  set(target: string, value: string): void {
    if (isUnit(target)) {
      const verb = value === ACTIVE ? 'start' : 'stop';
      const { error, status, stderr } = askProgram('systemctl', ['--no-ask-password', verb, target]);
      if (error !== undefined) throw error;
      if (status !== 0) throw new Error(stderr.trim() || `systemctl ${verb} ended with exit code ${status}`);
    } else {
      // Without O_CREAT, so that a missing file is not created.
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

  /** Checks the right to write a file by opening it; changes nothing. Throws the system's error. Units can't be checked before they are stopped. */
  checkRights(target: string): void {
    if (!isUnit(target)) closeSync(openSync(this.files.path(target), constants.O_WRONLY));
  }

  /** Display name of a target in messages. */
  name(target: string): string {
    return isUnit(target) ? target : this.files.path(target);
  }
}

const isUnit = (target: string): boolean => /\.(timer|service)$/.test(target);
