import type { TerminalPart } from '../../terminal/terminal.ts';
import { doctorCommand } from './commands/doctor.ts';
import { initCommand } from './commands/init.ts';
import { meterCheckCommand } from './commands/meter-check.ts';
import { meterCompareCommand } from './commands/meter-compare.ts';
import { meterEmulateCommand } from './commands/meter-emulate.ts';
import { meterListCommand } from './commands/meter-list.ts';
import { meterWatchCommand } from './commands/meter-watch.ts';

export const terminal: TerminalPart = {
  commands: { compare: [initCommand], noise: [doctorCommand] },
  groups: { meter: [meterListCommand, meterWatchCommand, meterCheckCommand, meterCompareCommand, meterEmulateCommand] },
};
