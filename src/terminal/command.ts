import { Command, type CommandUnknownOpts, type HelpConfiguration, type Option } from '@commander-js/extra-typings';
import { InputError } from '../errors.ts';
import { nearest, quote } from '../input/words.ts';
import { visible } from '../text/plain.ts';
import { shellWord } from '../text/shell.ts';

/**
 * A commander command, to which arguments, options and action are added. `summary` starts in lower case and has no full stop.
 * `examples`: lines at the end of the help.
 */
export function command(name: string, summary: string, examples: readonly string[] = []) {
  const made = new JoulediffCommand(name).description(summary).option('--json', 'print JSON');
  return examples.length === 0 ? made : made.addHelpText('after', `\nExamples:\n  ${examples.join('\n  ')}`);
}

/** A command that only has subcommands: the program, or a group of commands. */
export const commandGroup = (name: string): Command => new JoulediffCommand(name);

/** Words that call the command, without the program's name: `meter list`. */
export function pathOf(each: CommandUnknownOpts): string {
  const { parent } = each;
  return parent === null ? '' : `${pathOf(parent)} ${each.name()}`.trim();
}

/** All commands that have an action, in order; groups are replaced by their commands. */
export function listLeaves(group: CommandUnknownOpts): CommandUnknownOpts[] {
  return group.commands.flatMap((each) => (each.commands.length === 0 ? [each] : listLeaves(each)));
}

/**
 * Refuses option-like words as values of options: the user probably forgot the value. Also refuses a second value of an option that takes one,
 * since the first would be lost; the default of one that may be repeated is a list.
 */
export function refuseMistakenValues(command: CommandUnknownOpts): void {
  for (const option of command.options.filter(({ required, optional }) => required || optional)) {
    let before: string | null = null;
    command.on(`option:${option.name()}`, (value: string | null) => {
      // An option whose value may be left out.
      if (value === null) return;
      if (value === '--help' || command.options.some(({ long }) => long === value)) throw missingValue(option);
      if (before !== null && !Array.isArray(option.defaultValue)) {
        throw new InputError(`${option.long} was given twice: ${quote(before)} and ${quote(value)}.`, {
          advice: 'It takes one value: leave one out.',
        });
      }
      before = value;
    });
  }
}

function missingValue({ long, flags }: Option): InputError {
  return new InputError(`The value of ${long} is missing: ${plainFlags(flags).replace(/^-\w, /, '')}.`);
}

/** Reports mistakes on the command line like other wrong input. It overrides methods of commander that have no types. */
class JoulediffCommand extends Command {
  unknownCommand(): never {
    let root: CommandUnknownOpts = this;
    while (root.parent !== null) root = root.parent;
    const commands = listLeaves(root).map(pathOf);
    const [given = ''] = this.args;
    if (/\s/.test(given)) {
      throw new InputError(`${quote(given)} is not a joulediff command.`, {
        advice: `To compare it with another command: joulediff compare ${quoteForShell(given)} 'ANOTHER COMMAND'.`,
      });
    }
    const name = [pathOf(this), given].filter(Boolean).join(' ');
    const meant = nearest(name, [...commands, ...root.commands.map(pathOf)]);
    const meantToBeMeasured = meant === null && this.parent === null && this.args.length > 1;
    throw new InputError(`There is no command "${name}".${didYouMean(meant)}`, {
      advice: meantToBeMeasured
        ? `To measure a command of your own: joulediff compare ${quoteForShell(this.args.join(' '))} 'ANOTHER COMMAND'. All commands: joulediff --help.`
        : `Commands: ${commands.join(', ')}.`,
    });
  }

  unknownOption(flag: string): never {
    const [given] = flag.split('=') as [string];
    const known = [...this.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : [])), '--help'];
    if (known.includes(given)) throw new InputError(`${given} takes no value, and "${flag}" was given.`);
    throw new InputError(`There is no option ${given}.${didYouMean(nearest(given, known))}`, {
      advice: `Options: ${known.join(', ')}.`,
    });
  }

  optionMissingArgument(option: Option): never {
    throw missingValue(option);
  }

  missingArgument(name: string): never {
    const what = this.registeredArguments.find((argument) => argument.name() === name)?.description;
    throw new InputError(`${pathOf(this)} needs a ${name}${what ? `: ${what}` : ''}.`);
  }

  _excessArguments(given: readonly string[]): never {
    throw new InputError(`"${given[this.registeredArguments.length]}" is one argument too many.`, {
      advice: 'Put quotes around a name with spaces; --help lists what the command takes.',
    });
  }
}

const didYouMean = (word: string | null): string => (word === null ? '' : ` Did you mean ${word}?`);

/** Flags without angle brackets: `--seed N` for `--seed <N>`. */
export const plainFlags = (flags: string): string => flags.replace(/[<>]/g, '');

const quoteForShell = (text: string): string => shellWord(visible(text));

/**
 * Layout of the help: one list without headings, of the options for a command, and of all commands for the
 * program and for a group.
 */
export const HELP: HelpConfiguration = {
  /** Columns that fit a narrow terminal and the pages of the documentation. */
  helpWidth: 80,
  visibleCommands: listLeaves,
  visibleOptions: ({ commands, options }) => {
    if (commands.length > 0) return [];
    const [first, ...others] = options.filter(({ hidden }) => !hidden);
    return first === undefined ? [] : [...others, first];
  },
  visibleArguments: () => [],
  commandUsage: (command) =>
    ['joulediff', term(command), command.commands.length > 0 ? 'COMMAND' : '', '[options]'].filter(Boolean).join(' '),
  commandDescription: (command) => sentence(command.description()),
  subcommandTerm: term,
  optionTerm: ({ flags }) => plainFlags(flags),
  optionDescription: ({ description, defaultValue }) =>
    defaultValue === undefined || Array.isArray(defaultValue)
      ? description
      : `${description} (default ${defaultValue})`,
  formatItemList: (_heading, items) => (items.length === 0 ? [] : [...items, '']),
};

/** Usage of a command: `report FILE…`, `meter watch [NAME]`. */
function term(command: CommandUnknownOpts): string {
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
    return argument.required ? name : `[${name}]`;
  });
  return [pathOf(command), ...words].join(' ');
}

const sentence = (text: string): string => (text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
