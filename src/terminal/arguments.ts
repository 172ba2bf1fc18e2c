import { parseArgs } from 'node:util';
import { distance } from 'fastest-levenshtein';
import { InputError, messageOf } from '../errors.ts';

/** An option of a command, for parsing and for its help. */
export interface Option {
  readonly name: string;
  /** Name of its value in the help; null: a flag. */
  readonly value: string | null;
  readonly many?: boolean;
  readonly help: string;
}

export interface Arguments {
  readonly positional: readonly string[];
  /** The last one given. */
  text(name: string): string | null;
  all(name: string): readonly string[];
  flag(name: string): boolean;
}

/** Takes the words of a command apart. Throws InputError for an unknown option, with the nearest known one. */
export function readArguments(words: readonly string[], options: readonly Option[], mostPositional: number): Arguments {
  const known = [...options.map((o) => o.name), 'help'];
  for (const word of words) {
    if (word === '--') break;
    const name = /^--(?:no-)?([^=]+)/.exec(word)?.[1];
    if (name === undefined || known.includes(name)) continue;
    const nearest = known.map((k) => ({ k, d: distance(k, name) })).sort((a, b) => a.d - b.d)[0];
    const hint = nearest && nearest.d <= 3 ? ` Did you mean --${nearest.k}?` : '';
    throw new InputError(`There is no option --${name}.${hint}`, {
      advice: `Options: ${known.map((k) => `--${k}`).join(', ')}.`,
    });
  }
  try {
    const config = Object.fromEntries(
      options.map((o) => [
        o.name,
        { type: o.value === null ? ('boolean' as const) : ('string' as const), multiple: true },
      ]),
    );
    const { values, positionals } = parseArgs({
      args: [...words],
      options: config,
      allowPositionals: true,
      strict: true,
    });
    if (positionals.length > mostPositional) {
      throw new InputError(`"${positionals[mostPositional]}" is one argument too many.`, {
        advice: 'Put quotes around a name with spaces; --help tells what the command takes.',
      });
    }
    const given = values as Record<string, (string | boolean)[] | undefined>;
    return {
      positional: positionals,
      text: (name) => (given[name]?.at(-1) as string | undefined) ?? null,
      all: (name) => (given[name] as string[] | undefined) ?? [],
      flag: (name) => given[name]?.at(-1) === true,
    };
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    throw new InputError(`${messageOf(cause)}.`, { cause });
  }
}
