import { accessSync, constants, readFileSync, type Stats, statSync } from 'node:fs';
import { MeasureError, messageOf } from '../../errors.ts';
import { userName } from '../../system/user.ts';
import { portHolder } from './holder.ts';
import { portsThatAreThere } from './ports.ts';

/**
 * Why this port can't be opened, as an error for the user; null when nothing speaks against trying.
 * Opens nothing, so a port that another process uses is not disturbed.
 */
export function portError(path: string): MeasureError | null {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EACCES'
      ? notAllowed(path, cause)
      : new MeasureError(`The serial port ${path} does not exist.`, { advice: portsThatAreThere(), cause });
  }
  if (!stats.isCharacterDevice()) return notASerialPort(path);
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    return notAllowed(path, cause);
  }
  const holder = portHolder(path);
  if (!holder) return null;
  const who = `process ${holder.pid}${holder.command === null ? '' : ` (${holder.command})`}`;
  return new MeasureError(`The serial port ${path} is in use by ${who}.`, { advice: END_THE_OTHER });
}

/** The serial library's error at opening, as an error for the user. */
export function openingError(path: string, cause: unknown): MeasureError {
  const text = messageOf(cause);
  if (/cannot lock/i.test(text) || /resource busy/i.test(text)) {
    return new MeasureError(`The serial port ${path} is in use by another process.`, { advice: END_THE_OTHER, cause });
  }
  if (/no such (file|device)/i.test(text)) {
    return new MeasureError(`The serial port ${path} is gone.`, { advice: portsThatAreThere(), cause });
  }
  if (/permission denied|not permitted/i.test(text)) return notAllowed(path, cause);
  if (/inappropriate ioctl|not a typewriter/i.test(text)) return notASerialPort(path, cause);
  return new MeasureError(`The serial port ${path} could not be opened: ${text}`, { cause });
}

const END_THE_OTHER = 'End that process: only one program at a time may use a meter.';

function notASerialPort(path: string, cause?: unknown): MeasureError {
  return new MeasureError(`${path} is not a serial port.`, { advice: portsThatAreThere(), cause });
}

function notAllowed(path: string, cause: unknown): MeasureError {
  const user = userName();
  const group = owningGroup(path);
  const advice =
    group === null
      ? `Give the user ${user} access to it, preferably with a udev rule that assigns it to one of that user’s groups.`
      : `It belongs to the group ${group}: \`sudo usermod -aG ${group} ${user}\`, then log in again (a runner: restart its service).`;
  return new MeasureError(`The user ${user} is not allowed to use the serial port ${path}.`, { advice, cause });
}

/** The group whose members may use the device, null where there is none. */
function owningGroup(path: string): string | null {
  try {
    const { mode, gid } = statSync(path);
    return (mode & 0o060) === 0o060 && gid !== 0 ? groupName(gid) : null;
  } catch {
    return null;
  }
}

function groupName(gid: number): string {
  try {
    const line = readFileSync('/etc/group', 'utf8')
      .split('\n')
      .find((entry) => entry.split(':')[2] === String(gid));
    return line?.split(':')[0] ?? String(gid);
  } catch {
    return String(gid);
  }
}
