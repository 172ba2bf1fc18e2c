import { displayWidth, padEnd, wrap } from '../../../report/document/width.ts';
import { plural, visible } from '../../../text/plain.ts';
import { type Examined, GROUPS, type State } from '../doctor/examination.ts';

const COLORS: Record<State, string> = { ok: '\x1b[32m', warn: '\x1b[33m', fail: '\x1b[31m', unknown: '\x1b[2m' };
const MARKS: Record<State, string> = { ok: '✓', warn: '!', fail: '✗', unknown: '?' };
const BOLD = '\x1b[1m';
const DIM = '\x1b[2m';
const OFF = '\x1b[0m';
const INDENT = 4;
const CONTINUED = ' \\';
/** A word of a shell command, with its quotes. */
const SHELL_WORD = /(?:\\.|[^\s'"\\]|'[^']*'|"[^"]*")+/g;

export interface DoctorTextOptions {
  readonly color: boolean;
  readonly width: number;
  /** Whether findings without problems are shown in full too. */
  readonly all: boolean;
  /** Name of the examined machine for the middle of a sentence. */
  readonly machine?: string;
}

/** The doctor's report as text: findings without problems in a line, others with reason, the command that shows them, and the remedy. */
export function doctorText(machine: string, examined: readonly Examined[], options: DoctorTextOptions): string {
  const groups = GROUPS.flatMap((group) => {
    const own = examined.filter((one) => one.group === group);
    return own.length === 0
      ? []
      : ['', styled(group, BOLD, options), ...own.flatMap((one) => linesOf(one, examined, options))];
  });
  const lines = [...wrap(visible(machine), options.width), ...groups, '', ...conclusion(examined, options)];
  return `${lines.join('\n')}\n`;
}

function linesOf(one: Examined, all: readonly Examined[], options: DoctorTextOptions): string[] {
  const { state, name, seen, why, how, remedy, note } = one;
  const nameWidth = Math.max(...all.map((each) => each.name.length)) + 2;
  const [first = '', ...more] = wrap(visible(seen), options.width - INDENT - nameWidth);
  const head = `  ${styled(MARKS[state], COLORS[state], options)} ${padEnd(name, nameWidth)}${state === 'unknown' ? styled(first, DIM, options) : first}`;
  const rest = more.map(
    (line) => ' '.repeat(INDENT + nameWidth) + (state === 'unknown' ? styled(line, DIM, options) : line),
  );
  const isReported = options.all || state === 'warn' || state === 'fail';
  if (!isReported) return [head, ...rest];
  return [
    ...[head, ...rest],
    ...block('', why, options).map((line) => styled(line, DIM, options)),
    ...(how === '' ? [] : commandBlock('seen by  ', how, options)),
    ...(remedy === null ? [] : commandBlock('remedy   ', remedy, options)),
    ...(note === null ? [] : block('         ', note, options)),
    ...(options.all ? [''] : []),
  ];
}

/** Wraps a text and indents it under its label. */
function block(label: string, text: string, { width }: DoctorTextOptions): string[] {
  return labeled(label, wrap(visible(text), width - INDENT - label.length));
}

/** Breaks a command only between words, with backslashes, so that it can be pasted into a shell. */
function commandBlock(label: string, text: string, { width }: DoctorTextOptions): string[] {
  const most = width - INDENT - label.length - CONTINUED.length;
  const lines: string[] = [];
  for (const word of visible(text).match(SHELL_WORD) ?? []) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && displayWidth(longer) <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return labeled(
    label,
    lines.map((line, i) => (i < lines.length - 1 ? line + CONTINUED : line)),
  );
}

const labeled = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, i) => ' '.repeat(INDENT) + (i === 0 ? label : ' '.repeat(label.length)) + line);

function conclusion(examined: readonly Examined[], options: DoctorTextOptions): string[] {
  const of = (state: State) => examined.filter((one) => one.state === state);
  const [bad, doubtful, unseen] = [of('fail'), of('warn'), of('unknown')];
  const names = (list: readonly Examined[]) => list.map(({ name }) => name).join(', ');
  const [where, measure] = [
    options.machine ?? 'this machine',
    options.machine === undefined ? 'measure' : 'be measured',
  ];
  const verdict =
    bad.length > 0
      ? styled(`Measuring on ${where} would be pointless as it is: ${names(bad)}.`, COLORS.fail, options)
      : doubtful.length > 0
        ? `${options.machine ?? 'This machine'} can ${measure}. ${plural(doubtful.length, 'thing')} could make its runs less alike: ${names(doubtful)}.`
        : styled(`${options.machine ?? 'This machine'} is fit to ${measure}.`, COLORS.ok, options);
  const lines = wrap(verdict, options.width);
  if (unseen.length > 0) lines.push(...wrap(`Not seen from here: ${names(unseen)}.`, options.width));
  return options.all ? lines : [...lines, 'joulediff doctor --all says how each thing was checked and why it matters.'];
}

const styled = (text: string, style: string, { color }: DoctorTextOptions): string =>
  color ? `${style}${text}${OFF}` : text;
