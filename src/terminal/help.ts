import { wrap } from '../report/document/width.ts';
import { VERSION } from '../version.ts';
import type { Command } from './command.ts';

/** A narrow terminal, and a page of documentation. */
const COLUMNS = 80;

/** The help of the whole program. */
export function generalHelp(commands: readonly Command[]): string {
  return [
    `joulediff ${VERSION}: what does your container cost in joules?`,
    '',
    'Usage: joulediff COMMAND [options]',
    '',
    ...commandTable(commands),
    '',
    'joulediff COMMAND --help tells the options of a command.',
    'Exit codes: 0 done; 1 a threshold was crossed; 2 wrong input;',
    '3 could not be measured; 4 a bug; 128+N ended by signal N.',
    '',
  ].join('\n');
}

/** The help of the commands of a group. */
export function groupHelp(group: string, commands: readonly Command[]): string {
  return [
    `Usage: joulediff ${group} COMMAND [options]`,
    '',
    ...commandTable(commands),
    '',
    `joulediff ${group} COMMAND --help tells the options of a command.`,
    '',
  ].join('\n');
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const rows = command.options.map(
    (o) => [o.value === null ? `--${o.name}` : `--${o.name} ${o.value}`, o.help] as const,
  );
  return [
    `Usage: joulediff ${[command.name, command.argument, '[options]'].filter(Boolean).join(' ')}`,
    '',
    ...wrap(`${sentence(command.summary)}.`, COLUMNS),
    '',
    ...table(rows),
    '',
  ].join('\n');
}

function commandTable(commands: readonly Command[]): string[] {
  return table(commands.map((c) => [`${c.name} ${c.argument}`.trim(), c.summary] as const));
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) =>
    wrap(right, COLUMNS - width - 4).map((line, i) => `  ${(i === 0 ? left : '').padEnd(width)}  ${line}`),
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
