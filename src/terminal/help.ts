import type { CommandUnknownOpts, HelpConfiguration } from '@commander-js/extra-typings';
import { leavesOf, pathOf, plainFlags } from './command.ts';

/**
 * The layout of every help: one list without headings, which is that of the options for a command, and that of all the commands for the
 * program and for a group.
 */
export const HELP: HelpConfiguration = {
  /** A narrow terminal, and a page of documentation. */
  helpWidth: 80,
  visibleCommands: leavesOf,
  visibleOptions: ({ commands, options }) => (commands.length > 0 ? [] : options.filter(({ hidden }) => !hidden)),
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

/** `report FILE…`, `meter watch [NAME]`. */
function term(command: CommandUnknownOpts): string {
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
    return argument.required ? name : `[${name}]`;
  });
  return [pathOf(command), ...words].join(' ');
}

const sentence = (text: string): string => (text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
