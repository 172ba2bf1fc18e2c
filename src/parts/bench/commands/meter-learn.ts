import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { stringify } from 'yaml';
import { InputError, MeasureError, messageOf } from '../../../errors.ts';
import { THIS_HOST } from '../../../meters/registry.ts';
import { command } from '../../../terminal/command.ts';
import { numberOf } from '../../../terminal/options.ts';
import { atSpaces, printAnswer, type Terminal } from '../../../terminal/terminal.ts';
import { maskSecrets } from '../../../text/credentials.ts';
import { short } from '../../../text/numbers.ts';
import { plain } from '../../../text/plain.ts';
import { openEar } from '../tools/hear.ts';
import { checkMarks, type Marked, type Proposal, propose } from '../tools/learn.ts';

const BAUDS = [9600, 115_200, 2400, 19_200, 38_400, 57_600, 4800];
const BAUD = numberOf('--baud', { minimum: 300, maximum: 4_000_000, unit: '', whole: true });
/** Wait until the meter shows a new load, and duration of listening then, seconds. */
const [SETTLE_S, LISTEN_S] = [4, 5];

export function meterLearnCommand(terminal: Terminal) {
  return command('learn', 'describe a meter that joulediff doesn’t know, from what it sends at powers that you enter')
    .argument('<PLACE>', 'serial port, HOST:PORT, or http address of a JSON document')
    .option('--baud <N>', `rate of the serial port (default: tries ${BAUDS.join(', ')})`, BAUD)
    .option('--ask <TEXT>', 'text that makes the meter send a reading; \\r, \\n and \\x00 as in C')
    .option('--name <TEXT>', 'name of the meter', 'my meter')
    .option('--out <FILE>', 'file for the description (default: it is printed)')
    .action(async (place, { baud, ask, name, out, json = false }) => {
      if (out !== undefined && existsSync(out)) refuse(out, null);
      const bauds = baud === undefined ? BAUDS : [baud];
      const ear = await openEar(place, { bauds, ask: ask === undefined ? null : unescaped(ask) }, THIS_HOST);
      try {
        const marked: Marked[] = [];
        for await (const watts of powers(terminal)) {
          terminal.stderr.write(`Listening for ${SETTLE_S + LISTEN_S} s.\n`);
          await ear.listen(SETTLE_S);
          const heard = await ear.listen(LISTEN_S);
          if (('frames' in heard ? heard.frames : heard.bytes).length === 0) throw silent(maskSecrets(place));
          marked.push({ watts, heard });
        }
        checkMarks(marked);
        const proposal = propose(marked, ear.framing);
        if (proposal === null) throw nothingFits(maskSecrets(place));
        const text = descriptionOf(proposal, { address: place, ...ear.keys, name: plain(name, 100) || 'my meter' });
        if (out !== undefined) await writeFile(out, text, { flag: 'wx' }).catch((cause) => refuse(out, cause));
        if (json) printAnswer(terminal, 'meter learn', { description: text, file: out ?? null, error: proposal.error });
        else if (out === undefined) terminal.stdout.write(text);
        terminal.stderr.write(atSpaces(terminal.stderr, marksText(proposal, out ?? 'FILE')));
      } finally {
        await ear.close();
      }
    });
}

/** Asks for powers, one at a time, until an empty line. */
async function* powers({ stderr }: Terminal): AsyncGenerator<number> {
  using input = createInterface({ input: process.stdin });
  const lines = input[Symbol.asyncIterator]();
  stderr.write(
    atSpaces(
      stderr,
      'Let the meter show a power that you know: nothing plugged in (0), a lamp, or what another meter shows.\n',
    ),
  );
  for (let count = 1; ; count++) {
    stderr.write(`Watts now (${count < 3 ? 'two at least' : 'empty line: enough'}): `);
    const { value, done } = await lines.next();
    const text = done ? '' : value.trim();
    if (text === '') return;
    if (/^\d{1,5}(?:\.\d{1,3})?$/.test(text)) yield Number(text);
    else stderr.write(`"${plain(text, 20)}" is no number of watts.\n`);
  }
}

/** Text of a meter description. `keys`: those that the framing does not determine, such as the address and the name. */
export function descriptionOf({ framing, power, marks }: Proposal, keys: object): string {
  const { modbus, ...rest } = framing;
  const { type, order, scale, at } = power;
  const isText = 'json' in framing || 'line' in framing;
  const field = { at, ...(!isText && { type, order }), ...(scale !== 1 && { scale }), unit: 'W' };
  const seen = modbus && { modbus: { ...modbus } };
  const renewedS = Math.max(1, Math.round(LISTEN_S / Math.min(...marks.map(({ readings }) => readings))));
  const all = { ...keys, ...seen, ...rest, power: field, renewed: `${renewedS}s`, part: 'machine' };
  return `# Made by joulediff meter learn. Add accuracy and guard from the meter's manual: docs/meters.md.\n${stringify(all)}`;
}

function marksText({ marks, error, others }: Proposal, file: string): string {
  const rows = marks.map(
    ({ watts, read, readings }) => `  ${short(watts)} W: it reads ${short(read)} W (${readings} readings)\n`,
  );
  const doubt =
    others === 0 ? '' : `${others} other fields fit nearly as well: mark a third power to tell them apart.\n`;
  return `${rows.join('')}Largest deviation: ${short(100 * error)} %.\n${doubt}Next: joulediff meter check file:${file}\n`;
}

function silent(place: string): MeasureError {
  return new MeasureError(`${place} has sent nothing for ${LISTEN_S} s.`, {
    advice: 'Is the meter still switched on and connected, and does no other program use it?',
  });
}

function nothingFits(place: string): MeasureError {
  return new MeasureError(`No number that ${place} sends follows the powers that you entered.`, {
    advice: 'Were they correct when you entered them, and for ten seconds after? Enter them again, farther apart.',
  });
}

function refuse(file: string, cause: unknown): never {
  throw new InputError(
    `The description can’t be written to ${file}: ${cause === null ? 'it exists' : messageOf(cause)}.`,
    {
      advice: 'Name a new file in a folder that is there.',
      cause,
    },
  );
}

/** Decodes C escapes in a text. Throws InputError for an unknown one. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(x[0-9a-fA-F]{2}|.|$)/g, (whole, code: string) => {
    const plainly = { r: '\r', n: '\n', t: '\t', '\\': '\\' }[code];
    if (plainly !== undefined) return plainly;
    if (code.startsWith('x') && code.length === 3) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    throw new InputError(`--ask has ${whole}, which is no escape.`, { advice: 'Write \\r, \\n, \\t, \\\\ or \\x1f.' });
  });
}
