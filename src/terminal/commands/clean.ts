import { MeasureError } from '../../errors.ts';
import { reap } from '../../executors/leftovers/reaper.ts';
import { machineHolder } from '../../measure/lock.ts';
import { handOverLeft } from '../../measure/vault.ts';
import { screenText } from '../../text/screen.ts';
import { command } from '../command.ts';
import { printAnswer, type Terminal } from '../terminal.ts';

export function cleanCommand(terminal: Terminal) {
  return command(
    'clean',
    'remove what killed experiments left on this machine (containers, processes, folders), but nothing that belongs to a running one',
  )
    .option('--idle', 'fail, and remove nothing, while an experiment is being measured')
    .action(async ({ idle = false, json = false }) => {
      const holder = idle ? machineHolder() : null;
      if (holder !== null) {
        throw new MeasureError(`An experiment is being measured on this machine. ${holder}`, {
          advice: 'Wait until it has ended.',
        });
      }
      const lines = [...handOverLeft(), ...(await reap({}))];
      if (json) printAnswer(terminal, 'clean', { removed: lines });
      else
        terminal.stdout.write(
          lines.length === 0 ? 'There was nothing to remove.\n' : screenText(`${lines.join('\n')}\n`),
        );
    });
}
