import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { BROKEN, JoulediffError, Stopped } from '../errors.ts';
import { expectEnd, UNFINISHED } from '../system/unfinished.ts';
import { screenText } from '../text/screen.ts';
import { VERSION } from '../version.ts';
import { command, HELP, refuseOptionsAsValues } from './command.ts';
import { analyzeCommand } from './commands/analyze.ts';
import { cleanCommand } from './commands/clean.ts';
import { compareCommand } from './commands/compare.ts';
import { measureCommand } from './commands/measure.ts';
import { noiseCommand } from './commands/noise.ts';
import { planCommand } from './commands/plan.ts';
import { reportCommand } from './commands/report.ts';
import { runCommand } from './commands/run.ts';
import { atSpaces, type NewCommand, type Streams, type Terminal, type TerminalPart } from './terminal.ts';

/** A new command is a file in commands/ and a line here. Those of parts follow the one that they name. */
const COMMANDS: readonly NewCommand[] = [
  compareCommand,
  runCommand,
  measureCommand,
  analyzeCommand,
  reportCommand,
  planCommand,
  noiseCommand,
  cleanCommand,
];

const EXIT_CODES = `Exit codes: 0 success; 1 a threshold was crossed; 2 invalid input;
3 measurement failed; 4 a bug; 128+N stopped by signal N.`;

/** The terminal program. Words after the program's name in, exit code out; never throws. */
export async function main(
  words: readonly string[],
  parts: readonly { readonly terminal?: () => Promise<TerminalPart> }[],
  { stdout, stderr }: Streams = process,
): Promise<number> {
  const tell = (text: string): unknown => stderr.write(atSpaces(stderr, text));
  // A command that has something to clean up listens too, and ends by itself.
  const onError = (error: unknown): void => {
    if (process.listenerCount('uncaughtException') === 1) process.exit(tellError(error, tell));
  };
  process.on('uncaughtException', onError);
  const atEnd = expectEnd(BROKEN, () => tell(`${BROKEN_WORDS}\n${UNFINISHED}\n`));
  try {
    const loaded = await Promise.all(parts.flatMap((part) => part.terminal?.() ?? []));
    const terminal: Terminal = { stdout, stderr, exitCode: 0, parts: loaded };
    const root = program(terminal);
    await root.parseAsync(helpAsked(words, root), { from: 'user' });
    return terminal.exitCode;
  } catch (error) {
    return error instanceof CommanderError ? exitCodeOf(error) : tellError(error, tell);
  } finally {
    atEnd();
    process.off('uncaughtException', onError);
  }
}

/** `help meter check` is `meter check --help`; what is no command is told as that, with `help` or `--help` and without. */
function helpAsked(words: readonly string[], { commands }: CommandUnknownOpts): readonly string[] {
  const [first, ...named] = words;
  const isCommand = (word: string | undefined): boolean => commands.some((one) => one.name() === word);
  if (first !== undefined && first !== 'help') {
    return isCommand(first) || first.startsWith('-')
      ? words
      : words.filter((word) => word !== '--help' && word !== '-h');
  }
  if (named.length === 0) return words;
  return isCommand(named[0]) ? [...named, '--help'] : named;
}

/** Commander ends so after help and version, and where a command's name is missing. */
const exitCodeOf = ({ exitCode }: CommanderError): number => (exitCode === 0 ? 0 : 2);

const BROKEN_WORDS = 'Something in joulediff is broken; please report it.';

/** Tells an error to the person at the terminal and gives the exit code. */
function tellError(error: unknown, print: (text: string) => unknown): number {
  const write = (text: string): unknown => print(screenText(text));
  if (error instanceof Stopped) {
    write(`joulediff was ${error.message}.\n`);
    return error.exitCode;
  }
  if (error instanceof JoulediffError) {
    write(`${error.message}\n${error.advice === null ? '' : `${error.advice}\n`}`);
    return error.exitCode;
  }
  write(`${BROKEN_WORDS}\n${error instanceof Error ? error.stack : String(error)}\n`);
  return BROKEN;
}

function program(terminal: Terminal): CommandUnknownOpts {
  const write = (text: string): unknown => terminal.stdout.write(text);
  const root = command('joulediff', '')
    .version(VERSION, '--version')
    .exitOverride()
    .enablePositionalOptions()
    .configureHelp(HELP)
    .configureOutput({ writeOut: write, writeErr: write })
    .addHelpText('before', `joulediff ${VERSION}: what does your container cost in joules?\n`)
    .addHelpText('after', `\njoulediff COMMAND --help lists the options of a command.\n${EXIT_CODES}`);
  const add = (to: CommandUnknownOpts, added: CommandUnknownOpts): void => {
    refuseOptionsAsValues(added);
    to.addCommand(added.copyInheritedSettings(to));
  };
  const { parts } = terminal;
  for (const create of COMMANDS) {
    const own = create(terminal);
    add(root, own);
    for (const { commands } of parts) for (const more of commands?.[own.name()] ?? []) add(root, more(terminal));
  }
  for (const [name, creates] of parts.flatMap((part) => Object.entries(part.groups ?? {}))) {
    const group = command(name, '');
    group.addHelpText('after', `\njoulediff ${name} COMMAND --help lists the options of a command.`);
    add(root, group);
    for (const create of creates) add(group, create(terminal));
  }
  return root;
}
