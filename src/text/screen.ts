import { stripVTControlCharacters } from 'node:util';
import { maskSecrets } from './credentials.ts';
import { visible } from './plain.ts';

/**
 * Lines that somebody else may have written, fit for a terminal, a log and a record: no sequence that a terminal obeys, no character that
 * can't be seen, and nothing that is a credential. Lines and tabs stay. `known`: values that are secret whatever they look like.
 */
export function screenText(text: string, known: readonly string[] = []): string {
  const lines = stripVTControlCharacters(text).replace(/\r\n?/g, '\n').split('\n');
  return maskSecrets(lines.map((line) => line.split('\t').map(visible).join('\t')).join('\n'), known);
}
