import { InputError } from '../../../errors.ts';
import { printAnswer, type Terminal } from '../../../terminal/terminal.ts';
import { plain, plural } from '../../../text/plain.ts';
import { outdated } from '../history/prune.ts';
import { historyCommand, selectHistoryStore } from './history-store.ts';

export function historyPruneCommand(terminal: Terminal) {
  const { stdout } = terminal;
  return historyCommand('prune', 'show which experiments a rule would remove from a history; remove them with --remove')
    .option('--keep <DAYS>', 'keep experiments that are at most this old, for example 90d', parseDays)
    .option('--keep-last <N>', 'keep the latest N of each experiment, machine and meter', countOf)
    .option('--remove', 'remove them; without this option, they are only shown')
    .action(async ({ keep, keepLast, remove = false, json = false, ...options }) => {
      if (keep === undefined && keepLast === undefined) {
        throw new InputError('Say what is to be kept: --keep, --keep-last or both.', {
          advice:
            'For example --keep 90d --keep-last 50: what is younger than 90 days, and the latest 50 of each line.',
        });
      }
      const store = selectHistoryStore(options);
      const records = await store.records();
      const lines = outdated(records, { days: keep ?? null, last: keepLast ?? 0 }, new Date());
      const ids = new Set(lines.flatMap(({ gone }) => gone.map(({ id }) => id)));
      if (json) {
        const outdated = lines.map(({ series: { experiment, machine, meter, records: all }, gone }) => ({
          experiment,
          machine: machine.hostname,
          meter: meter.type,
          gone: gone.length,
          of: all.length,
        }));
        const removed = remove && ids.size > 0 ? await store.remove(ids) : 0;
        return printAnswer(terminal, 'history prune', { outdated, removed });
      }
      for (const { series, gone } of lines) {
        const { experiment, machine, meter, records: all } = series;
        const days = [...new Set(gone.map(({ started_at }) => started_at.slice(0, 10)))].sort();
        const where = `${plain(experiment, 60)} on ${plain(machine.hostname, 60)}, ${plain(meter.type, 40)}`;
        stdout.write(
          `${where}: ${gone.length} of ${all.length}, ${days[0]}${days.length > 1 ? ` to ${days.at(-1)}` : ''}\n`,
        );
      }
      const of = (count: number): string => `${count} of ${plural(records.length, 'experiment')}`;
      if (ids.size === 0) stdout.write('Nothing to remove.\n');
      else if (!remove) stdout.write(`Nothing was removed. With --remove, ${of(ids.size)} would be.\n`);
      else stdout.write(`Removed from ${store.name}: ${of(await store.remove(ids))}.\n`);
    });
}

function parseDays(given: string): number {
  const days = /^(\d{1,6}) ?d?$/.exec(given)?.[1];
  if (days !== undefined) return Number(days);
  throw new InputError(`--keep ${given} is not a number of days.`, { advice: 'For example --keep 90d.' });
}

function countOf(given: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new InputError(`--keep-last ${given} is not a number of experiments.`, {
    advice: 'For example --keep-last 50.',
  });
}
