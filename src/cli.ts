import { distance } from 'fastest-levenshtein';
import { InputError } from './errors.ts';
import { readArguments } from './terminal/arguments.ts';
import type { Command, Streams } from './terminal/command.ts';
import { analyzeCommand } from './terminal/commands/analyze.ts';
import { measureCommand } from './terminal/commands/measure.ts';
import { planCommand } from './terminal/commands/plan.ts';
import { reportCommand } from './terminal/commands/report.ts';
import { runCommand } from './terminal/commands/run.ts';
import { tellError } from './terminal/fail.ts';
import { commandHelp, generalHelp } from './terminal/help.ts';
import { VERSION } from './version.ts';

const COMMANDS: readonly Command[] = [runCommand, measureCommand, analyzeCommand, reportCommand, planCommand];

/** The terminal program. Words after the program's name in, exit code out; never throws. */
export async function main(words: readonly string[], streams: Streams = process): Promise<number> {
  try {
    return await dispatch(words, streams);
  } catch (error) {
    return tellError(error, (text) => streams.stderr.write(text));
  }
}

async function dispatch([name, ...words]: readonly string[], streams: Streams): Promise<number> {
  if (name === '--version') {
    streams.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    streams.stdout.write(generalHelp(COMMANDS));
    return name === undefined ? 2 : 0;
  }
  const command = COMMANDS.find((c) => c.name === name) ?? unknownCommand(name);
  if (words.includes('--help')) {
    streams.stdout.write(commandHelp(command));
    return 0;
  }
  return await command.run(readArguments(words, command.options, 1), streams);
}

function unknownCommand(name: string): never {
  const nearest = COMMANDS.map((c) => ({ name: c.name, d: distance(c.name, name) })).sort((a, b) => a.d - b.d)[0];
  const hint = nearest && nearest.d <= 3 ? ` Did you mean ${nearest.name}?` : '';
  throw new InputError(`There is no command "${name}".${hint}`, {
    advice: `Commands: ${COMMANDS.map((c) => c.name).join(', ')}.`,
  });
}
