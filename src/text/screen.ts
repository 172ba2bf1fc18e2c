import { maskSecrets } from './credentials.ts';
import { visible } from './plain.ts';

/** Terminal escape sequences (ECMA-48): control sequences, device and system strings, and everything else that begins with ESC. */
const ORDERS =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/**
 * Makes untrusted lines safe for a terminal, a log and a record: removes escape sequences and invisible characters, and masks credentials.
 * Line breaks and tabs are kept. `known`: values that are secret whatever their format.
 */
export function screenText(text: string, known: readonly string[] = []): string {
  const lines = text.replace(ORDERS, '').replace(/\r\n?/g, '\n').split('\n');
  return maskSecrets(lines.map((line) => line.split('\t').map(visible).join('\t')).join('\n'), known);
}
