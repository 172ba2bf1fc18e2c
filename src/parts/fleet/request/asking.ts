import { InputError } from '../../../errors.ts';
import { type Author, readAuthor } from '../../../forge/author.ts';
import { type Env, type ForgeEvent, readPayload, sha } from '../../../forge/event.ts';
import { field, positiveInteger, text } from '../../../forge/untrusted.ts';
import { type CommentRequest, OPTION_NAMES, parseRequest, readOptions } from './grammar.ts';

/** A request from an event: who asks, for what, and where. */
export interface Asking {
  readonly asked: CommentRequest;
  readonly by: Author & { readonly login: string };
  /** Number of the pull request; null: a dispatched workflow, where the branch determines it. */
  readonly pullRequest: number | null;
  /** Null: there is no comment to react to. */
  readonly comment: { readonly id: number; readonly createdMs: number } | null;
  /** The commit that the event itself names; null: a comment, whose event names none. */
  readonly head: string | null;
  /** Why the event rules out a measurement, as a sentence; null: it does not. */
  readonly refusal: string | null;
}

/** Labels that ask for a measurement, and that accept a result; others ask for nothing. */
const ACCEPT_LABEL = 'joulediff-accept';
const LABELS = ['joulediff', ACCEPT_LABEL];

const ADVICE = `Start the job that reads requests for comments, for a label or by hand:
on:
  issue_comment: { types: [created] }
  pull_request: { types: [labeled] }
  workflow_dispatch:`;

/** Reads the event file. Null: nothing is asked for. Throws InputError where the event is of another kind, or can't be read. */
export function readAsking(env: Env, event: ForgeEvent): Asking | null {
  const { payload, problem } = readPayload(env.GITHUB_EVENT_PATH);
  if (problem !== null) throw new InputError(problem);
  const action = field(payload, 'action');
  switch (event.eventName) {
    case 'issue_comment': {
      const asked = parseRequest(field(payload, 'comment', 'body'));
      // An edit may be by another user than the author, and a deleted comment asks for nothing.
      return asked === null || action !== 'created' ? null : commented(payload, asked);
    }
    case 'pull_request':
      if (action !== 'labeled' && action !== 'label_updated') break;
      return labeled(payload, event);
    case 'workflow_dispatch':
      return dispatched(payload, event);
  }
  throw new InputError(
    `mode: request was given in a job for the event ${event.eventName || '(none)'}; it works for a comment, a label and a dispatched workflow.`,
    { advice: ADVICE },
  );
}

function commented(payload: unknown, asked: CommentRequest): Asking {
  const [comment, number] = [field(payload, 'comment'), positiveInteger(field(payload, 'issue', 'number'))];
  const id = positiveInteger(field(comment, 'id'));
  const createdMs = Date.parse(text(field(comment, 'created_at'), 40));
  if (id === null || number === null || Number.isNaN(createdMs)) throw incomplete();
  const isPull = field(payload, 'issue', 'pull_request') !== undefined;
  return {
    asked,
    by: actor(field(comment, 'user')),
    pullRequest: number,
    comment: { id, createdMs },
    head: null,
    refusal: isPull ? null : `#${number} is an issue and no pull request, so there is no commit to measure.`,
  };
}

/** The event of a label names the head as it was when the label was set. Gitea's has a list of what was added, which is empty when a label is taken away. */
function labeled(payload: unknown, { pullRequest, fork }: ForgeEvent): Asking | null {
  const added = field(payload, 'changes', 'added_labels');
  const labels = [field(payload, 'label'), ...(Array.isArray(added) ? added : [])];
  const label = labels.map((one) => text(field(one, 'name'), 100)).find((name) => LABELS.includes(name));
  if (label === undefined) return null;
  const head = sha(field(payload, 'pull_request', 'head', 'sha'));
  if (head === null || pullRequest === null) throw incomplete();
  const refusal = fork
    ? 'A label on a pull request of a fork starts a job without rights, which could publish nothing. Ask for it in a comment.'
    : null;
  const by = actor(field(payload, 'sender'));
  const asked: CommentRequest =
    label === ACCEPT_LABEL
      ? { kind: 'accept', reason: `label ${label}`, options: {} }
      : { kind: 'measure', options: {} };
  return { asked, by, pullRequest, comment: null, head, refusal };
}

/** Uses the head of the chosen branch. An input with a pull request would hide from the machine's owner whose code runs. */
function dispatched(payload: unknown, { headSha }: ForgeEvent): Asking {
  if (headSha === null) throw incomplete();
  const given = OPTION_NAMES.map((name) => [name, field(payload, 'inputs', name)] as const);
  const words = given.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`${name}=${value}`]));
  const by = actor(field(payload, 'sender'));
  return { asked: readOptions(words), by, pullRequest: null, comment: null, head: headSha, refusal: null };
}

function actor(user: unknown): Asking['by'] {
  const author = readAuthor(user);
  // A bot's login on GitHub ends with [bot].
  if (author.login === null || !/^[\w.-]{1,100}(?:\[bot\])?$/.test(author.login)) throw incomplete();
  return { ...author, login: author.login };
}

function incomplete(): InputError {
  return new InputError('The event of this job does not say who asks for what, and where.', { advice: ADVICE });
}
