/** Quotes any text as one word for a POSIX shell. */
export const shellWord = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
