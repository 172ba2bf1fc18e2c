import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { BROKEN, JoulediffError, Stopped } from '../errors.ts';
import { expectEnd, UNFINISHED } from '../system/unfinished.ts';
import { screenText } from '../text/screen.ts';
import { VERSION } from '../version.ts';
import { commandGroup, HELP, refuseMistakenValues } from './command.ts';
import { atSpaces, type Commands, type Streams, type Terminal, type TerminalPart } from './terminal.ts';

/** Core commands in the order of the help, each a file in commands/ and a line here. Each command of a part follows the core command it names. */
const COMMANDS: Commands = {
  compare: async () => (await import('./commands/compare.ts')).compareCommand,
  run: async () => (await import('./commands/run.ts')).runCommand,
  measure: async () => (await import('./commands/measure.ts')).measureCommand,
  analyze: async () => (await import('./commands/analyze.ts')).analyzeCommand,
  report: async () => (await import('./commands/report.ts')).reportCommand,
  plan: async () => (await import('./commands/plan.ts')).planCommand,
  noise: async () => (await import('./commands/noise.ts')).noiseCommand,
  clean: async () => (await import('./commands/clean.ts')).cleanCommand,
};

const EXIT_CODES = `Exit codes: 0 success; 1 a threshold was crossed, or doctor found a failure;
2 invalid input; 3 measuring failed or cannot begin; 4 a bug; 128+N stopped by signal N.`;

/** Runs the terminal program with the words after its name. Returns the exit code; never throws. */
export async function main(
  words: readonly string[],
  parts: readonly { readonly terminal?: () => Promise<TerminalPart> }[],
  streams: Streams = process,
): Promise<number> {
  const [stdout, stderr] = [inertInJobs(streams.stdout), inertInJobs(streams.stderr)];
  const tell = (text: string): unknown => stderr.write(atSpaces(stderr, text));
  // A command with something to clean up has its own listener and ends by itself.
  const onError = (error: unknown): void => {
    if (process.listenerCount('uncaughtException') === 1) process.exit(tellError(error, tell));
  };
  process.on('uncaughtException', onError);
  const atEnd = expectEnd(BROKEN, () => tell(`${BROKEN_WORDS}\n${UNFINISHED}\n`));
  try {
    const loaded = await Promise.all(parts.flatMap((part) => part.terminal?.() ?? []));
    const terminal: Terminal = { stdout, stderr, exitCode: 0, parts: loaded };
    const root = await program(terminal, words[0] ?? '');
    await root.parseAsync(helpAsked(words, root), { from: 'user' });
    return terminal.exitCode;
  } catch (error) {
    return error instanceof CommanderError ? exitCodeOf(error) : tellError(error, tell);
  } finally {
    atEnd();
    process.off('uncaughtException', onError);
  }
}

/** A job's log takes `::error::` at the start of a line, and `##[error]` anywhere, for commands, also from the name of a variant. */
function inertInJobs<Of extends Streams['stdout']>(stream: Of): Of | Streams['stdout'] {
  if (process.env.GITHUB_ACTIONS !== 'true') return stream;
  return {
    write: (text) => stream.write(text.replaceAll(/^(\s*)(?=::)|(?<=#)(?=#\[)/gm, '$1\u2060')),
    isTTY: stream.isTTY === true,
    columns: stream.columns ?? 0,
    get writable() {
      return stream.writable !== false;
    },
  };
}

/** Rewrites `help meter check` as `meter check --help`, and reports unknown commands alike with `help`, with `--help`, and without. */
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

/** Exit code for commander's errors: 0 after help and version, 2 for example when a command's name is missing. */
const exitCodeOf = ({ exitCode }: CommanderError): number => (exitCode === 0 ? 0 : 2);

const BROKEN_WORDS = 'Something in joulediff is broken; please report it.';

/** Prints an error for the user and returns the exit code. */
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

/**
 * The program with its commands. If the first word names a command or group, only its code is loaded;
 * in every other case, such as help or a mistake, all commands are loaded.
 */
async function program(terminal: Terminal, firstWord: string): Promise<CommandUnknownOpts> {
  const write = (text: string): unknown => terminal.stdout.write(text);
  const root = commandGroup('joulediff')
    .version(VERSION, '--version')
    .exitOverride()
    .enablePositionalOptions()
    .configureHelp(HELP)
    .configureOutput({ writeOut: write, writeErr: write })
    .addHelpText('before', `joulediff ${VERSION}: what does your container cost in joules?\n`)
    .addHelpText('after', `\njoulediff COMMAND --help lists the options of a command.\n${EXIT_CODES}`);
  const add = (to: CommandUnknownOpts, added: CommandUnknownOpts): void => {
    refuseMistakenValues(added);
    to.addCommand(added.copyInheritedSettings(to));
  };
  const { parts } = terminal;
  const single = Object.entries(COMMANDS).flatMap(([name, load]) => [
    { name, load },
    ...parts.flatMap(({ commands }) =>
      Object.entries(commands?.[name] ?? {}).map(([added, loadAdded]) => ({ name: added, load: loadAdded })),
    ),
  ]);
  const groups = parts.flatMap((part) => Object.entries(part.groups ?? {}));
  const isNamed = ['--version', ...single.map(({ name }) => name), ...groups.map(([name]) => name)].includes(firstWord);
  const isWanted = (name: string): boolean => !isNamed || name === firstWord;
  for (const { name, load } of single) if (isWanted(name)) add(root, (await load())(terminal));
  for (const [name, commands] of groups) {
    if (!isWanted(name)) continue;
    const group = commandGroup(name);
    group.addHelpText('after', `\njoulediff ${name} COMMAND --help lists the options of a command.`);
    add(root, group);
    for (const load of Object.values(commands)) add(group, (await load())(terminal));
  }
  return root;
}
