import { nearest, quote } from '../../../input/words.ts';
import { listed } from '../../../text/plain.ts';

/**
 * Options of a request, with the pattern of their values. A value becomes an output of the asking job, and from there an input of the measuring
 * job; no shell ever sees it. `base` looks like a ref, so that git can't take it for an option or a range.
 */
const VALUES = {
  base: /^(?!.*(?:\.\.|\/[/.]|\.lock(?:\/|$)|[./]$))\w[\w./+-]{0,199}$/,
  head: /^[0-9a-f]{7,64}$/i,
  repetitions: /^(?:auto|[1-9]\d{0,2})$/,
  variant: /^\w[\w.-]{0,63}$/,
} as const;

export type OptionName = keyof typeof VALUES;
export type RequestOptions = Readonly<Partial<Record<OptionName, string>>>;
export const OPTION_NAMES = Object.keys(VALUES) as OptionName[];

/** Request in a comment. `wrong`: it begins like a request but is invalid, and `detail` says why. */
export type CommentRequest =
  | { readonly kind: 'measure'; readonly options: RequestOptions }
  | { readonly kind: 'help' | 'cancel' }
  | { readonly kind: 'accept'; readonly reason: string; readonly options: Pick<RequestOptions, 'head'> }
  | { readonly kind: 'wrong'; readonly detail: string };

const COMMAND = '/joulediff';
const MAX_LINE = 500;
const MAX_REASON = 200;

/** The answer to `help` and to a request with a mistake. Markdown. */
export const GRAMMAR = `Write one of these as the first line of a comment:

- \`/joulediff\` measures the commit that is the head now;
- \`/joulediff base=v1.2 repetitions=auto variant=container head=0123abc\` with any of these options: what to compare with, how many blocks (\`auto\` or 1 to 999), a name that the workflow knows, and the commit that you have read (with its full hash, no other is measured);
- \`/joulediff accept REASON\` or \`/joulediff accept head=0123abc REASON\` turns the check of this commit to success, and changes no number;
- \`/joulediff cancel\` ends the request that is measured or waits;
- \`/joulediff help\` shows this.`;

/** What the first line of a comment asks for; null: nothing, since it doesn't begin with /joulediff. */
export function parseRequest(comment: unknown): CommentRequest | null {
  if (typeof comment !== 'string' || !comment.startsWith(COMMAND)) return null;
  const end = comment.search(/[\r\n]/);
  const line = end < 0 ? comment : comment.slice(0, end);
  if (line.length > MAX_LINE) return wrong(`the line has ${line.length} characters; the limit is ${MAX_LINE}`);
  // Format characters, such as direction marks, can make a line look like another one.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(line)) return wrong('the line has characters that can’t be seen');
  const [command, verb = '', ...rest] = line.split(/\s+/).filter((word) => word !== '');
  if (command !== COMMAND) return wrong(`${quote(command ?? '')} was given`);
  if (verb === 'accept') return acceptance(line);
  if (verb !== 'help' && verb !== 'cancel') return readOptions([verb, ...rest].filter((word) => word !== ''));
  return rest.length === 0 ? { kind: verb } : wrong(`${verb} takes no more words`);
}

function acceptance(line: string): CommentRequest {
  const [, head, rest = ''] = /^\S+\s+accept(?:\s+head=(\S+))?(?=\s|$)(.*)$/.exec(line) ?? [];
  const reason = rest.trim();
  if (head !== undefined && !VALUES.head.test(head)) return wrong(`${quote(head)} can’t be the value of head`);
  return reason === '' || reason.length > MAX_REASON
    ? wrong(`accept needs a reason of 1 to ${MAX_REASON} characters`)
    : { kind: 'accept', reason, options: head === undefined ? {} : { head } };
}

/** Options written as `key=value`. */
export function readOptions(words: readonly string[]): CommentRequest {
  const options: Partial<Record<OptionName, string>> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    const [name, value] = at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
    const known = OPTION_NAMES.find((option) => option === name);
    if (known === undefined) {
      const meant = nearest(name, [...OPTION_NAMES, 'help', 'cancel', 'accept']);
      const hint = meant === null ? `the options are ${listed(OPTION_NAMES)}` : `did you mean ${meant}?`;
      return wrong(`${quote(name)} was given; ${hint}`);
    }
    if (options[known] !== undefined) return wrong(`${known} was given twice`);
    if (!VALUES[known].test(value)) return wrong(`${quote(value)} can’t be the value of ${known}`);
    options[known] = value;
  }
  return { kind: 'measure', options };
}

const wrong = (detail: string): CommentRequest => ({ kind: 'wrong', detail });
