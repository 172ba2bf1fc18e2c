import { distance } from 'fastest-levenshtein';
import { InputError } from './errors.ts';
import { readArguments } from './terminal/arguments.ts';
import type { Command, Streams } from './terminal/command.ts';
import { analyzeCommand } from './terminal/commands/analyze.ts';
import { historyAddCommand } from './terminal/commands/history-add.ts';
import { historyPageCommand } from './terminal/commands/history-page.ts';
import { measureCommand } from './terminal/commands/measure.ts';
import { meterCheckCommand } from './terminal/commands/meter-check.ts';
import { meterEmulateCommand } from './terminal/commands/meter-emulate.ts';
import { meterListCommand } from './terminal/commands/meter-list.ts';
import { meterWatchCommand } from './terminal/commands/meter-watch.ts';
import { noiseCommand } from './terminal/commands/noise.ts';
import { planCommand } from './terminal/commands/plan.ts';
import { reportCommand } from './terminal/commands/report.ts';
import { runCommand } from './terminal/commands/run.ts';
import { tellError } from './terminal/fail.ts';
import { commandHelp, generalHelp, groupHelp } from './terminal/help.ts';
import { VERSION } from './version.ts';

/** A name of two words is a command of a group: `meter list`. */
const COMMANDS: readonly Command[] = [
  runCommand,
  measureCommand,
  analyzeCommand,
  reportCommand,
  planCommand,
  noiseCommand,
  historyAddCommand,
  historyPageCommand,
  meterListCommand,
  meterWatchCommand,
  meterCheckCommand,
  meterEmulateCommand,
];

/** The terminal program. Words after the program's name in, exit code out; never throws. */
export async function main(words: readonly string[], streams: Streams = process): Promise<number> {
  try {
    return await dispatch(words, streams);
  } catch (error) {
    return tellError(error, (text) => streams.stderr.write(text));
  }
}

async function dispatch(words: readonly string[], streams: Streams): Promise<number> {
  const [name, ...rest] = words;
  if (name === '--version') {
    streams.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (asksForHelp(name)) {
    streams.stdout.write(generalHelp(COMMANDS));
    return name === undefined ? 2 : 0;
  }
  const group = COMMANDS.filter((c) => c.name.startsWith(`${name} `));
  if (group.length > 0 && asksForHelp(rest[0])) {
    streams.stdout.write(groupHelp(name, group));
    return rest[0] === undefined ? 2 : 0;
  }
  return await runCommandOf(words, streams, group.length > 0 ? 2 : 1);
}

/** `length`: number of words of the command's name. */
async function runCommandOf(words: readonly string[], streams: Streams, length: number): Promise<number> {
  const name = words.slice(0, length).join(' ');
  const command = COMMANDS.find((c) => c.name === name) ?? unknownCommand(name);
  const rest = words.slice(length);
  if (rest.includes('--help')) {
    streams.stdout.write(commandHelp(command));
    return 0;
  }
  return await command.run(readArguments(rest, command.options, command.mostPositional ?? 1), streams);
}

function asksForHelp(word: string | undefined): word is '--help' | '-h' | 'help' | undefined {
  return word === undefined || word === '--help' || word === '-h' || word === 'help';
}

function unknownCommand(name: string): never {
  const nearest = COMMANDS.map((c) => ({ name: c.name, d: distance(c.name, name) })).sort((a, b) => a.d - b.d)[0];
  const hint = nearest && nearest.d <= 3 ? ` Did you mean ${nearest.name}?` : '';
  throw new InputError(`There is no command "${name}".${hint}`, {
    advice: `Commands: ${COMMANDS.map((c) => c.name).join(', ')}.`,
  });
}
