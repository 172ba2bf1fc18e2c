import { maskSecrets } from './credentials.ts';
import { visible } from './plain.ts';

/** Orders to a terminal (ECMA-48): strings of the system and of devices, control sequences, and what else begins with an escape. */
const ORDERS =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/**
 * Lines that somebody else may have written, fit for a terminal, a log and a record: no sequence that a terminal obeys, no character that
 * can't be seen, and nothing that is a credential. Lines and tabs stay. `known`: values that are secret whatever they look like.
 */
export function screenText(text: string, known: readonly string[] = []): string {
  const lines = text.replace(ORDERS, '').replace(/\r\n?/g, '\n').split('\n');
  return maskSecrets(lines.map((line) => line.split('\t').map(visible).join('\t')).join('\n'), known);
}
