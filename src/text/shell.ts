/** A word as a POSIX shell takes it back, whatever it holds. */
export const shellWord = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
