import * as z from 'zod';
import { published } from '../../../findings/json-schema.ts';
import { Interval } from '../../../findings/numbers.ts';
import { type Code, paragraph, table } from '../../../report/document/blocks.ts';
import { renderMarkdown } from '../../../report/document/markdown.ts';
import type { Text } from '../../../report/document/text.ts';
import { copiedWord } from '../../../report/escape.ts';
import { MISSING } from '../../../text/numbers.ts';
import { plain, plural } from '../../../text/plain.ts';
import { sourceWarning } from '../history/page/page.ts';
import { bisectCommand, commitLink } from '../history/page/tables.ts';
import { lineName, shortStep, stepText, valueText } from '../history/page/view.ts';
import type { Moved, StepEvent } from './events.ts';
import { stepMarker } from './issues.ts';

const SCHEMA = 'joulediff/alert/1';

/** JSON message to a webhook about a new step. */
const Message = z.strictObject({
  schema: z.literal(SCHEMA),
  id: z.string().describe('of the step: the same if two runs report it at once'),
  text: z.string().describe('one line for people'),
  repository: z.string().nullable(),
  experiment: z.string(),
  machine: z.string(),
  meter: z.strictObject({ type: z.string(), source: z.enum(['measured', 'modelled', 'emulated']) }),
  commit: z.string().describe('the first that was measured after the step; full hash, as all commits here'),
  report: z.string().nullable().describe('page of the run that found the step'),
  between: z
    .tuple([z.string(), z.string()])
    .nullable()
    .describe('commits surely before and after the step; null: not known'),
  bisect: z.string().nullable().describe('the command that finds the commit'),
  moved: z
    .array(
      z.strictObject({
        variant: z.string(),
        baseline: z.string().nullable().describe('null: its energy by itself'),
        percent: z.number(),
        ci95: Interval,
      }),
    )
    .describe('lines with this step, the largest change first'),
  lines: z.int().describe('how many lines moved; of many, only the first are listed'),
});

/** The published JSON Schema of it. */
export const alertJsonSchema = (): object =>
  published(Message, { $id: 'urn:joulediff:alert:1', title: 'joulediff alert: what a webhook is sent' });

/** Maximum lines that are listed. */
const MAX_LINES = 20;

/** `sort: energy of container +2.1 % at 1a2b3c4d (bench-01)`. */
export function alertTitle({ series, moved: [{ line, step }, ...others], commit }: StepEvent): string {
  const what = line.baseline === null ? `energy of ${lineName(line)}` : lineName(line);
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'more line')}`;
  const where = plain(series.machine.hostname, 60);
  const change = `${shortStep(step)}${more} at ${commit.slice(0, 8)} (${where})`;
  // GitHub takes 256 characters.
  return `${plain(series.experiment, 40)}: ${plain(what, 90)} ${change}`;
}

export function alertMessage(event: StepEvent, report: string | null): z.output<typeof Message> {
  const { series, moved, commit } = event;
  const [{ line, step }] = moved;
  const { type, source } = series.meter;
  return {
    schema: SCHEMA,
    id: `${series.id}-${commit}`,
    text: alertTitle(event),
    repository: series.repository,
    experiment: series.experiment,
    machine: series.machine.hostname,
    meter: { type, source },
    commit,
    report,
    between: step.commits === null ? null : [...step.commits],
    bisect: step.commits === null ? null : bisectCommand(step.commits, line),
    moved: moved.slice(0, MAX_LINES).map(({ line: { variant, baseline }, step: { percent, ci95 } }) => {
      return { variant, baseline, percent, ci95: [...ci95] };
    }),
    lines: moved.length,
  };
}

/** The body of an issue about a step. `place`: the options that name the history. */
export function alertBody(event: StepEvent, found: Text, place: string): string {
  const { series, moved, commit } = event;
  const [{ line, step }] = moved;
  const warning = sourceWarning(series);
  const accept = `joulediff history note ${commit} 'REASON' ${place}`;
  const block = (command: string): Code => ({ kind: 'code', language: 'sh', lines: [command] });
  return (
    stepMarker(series.id, commit) +
    renderMarkdown([
      paragraph(
        ...[
          'The level of ',
          { name: series.experiment },
          ' on ',
          { name: series.machine.hostname },
          ' changed between ',
        ],
        ...[commitLink(series, step.before), ' and ', commitLink(series, step.at), '. Found by ', ...found, '.'],
      ),
      warning === null ? null : paragraph(warning),
      table('What moved', moved.slice(0, MAX_LINES), [
        { head: 'Line', cell: ({ line }) => [{ name: lineName(line) }] },
        { head: 'Step (95 % interval)', numeric: true, cell: ({ step }) => stepText(step) },
        { head: 'Before', numeric: true, cell: (one) => levelText(one, 0) },
        { head: 'Since', numeric: true, cell: (one) => levelText(one, 1) },
        { head: 'What else changed', cell: ({ step: { changed } }) => changed.join('; ') || MISSING },
      ]),
      moved.length > MAX_LINES ? paragraph(`${moved.length - MAX_LINES} more lines are on the history page.`) : null,
      step.commits === null ? null : paragraph('To find the commit, in a checkout with the experiment file:'),
      step.commits === null ? null : block(bisectCommand(step.commits, line)),
      paragraph('If the change is expected, accept it. The next run then closes this issue:'),
      block(accept),
    ])
  );
}

/** Reason for closing an issue. `notes`: notes of the step; null: the step no longer exists. */
export const closingText = (notes: readonly string[] | null): string =>
  notes === null
    ? 'With the latest experiments, the history no longer shows this step.\n'
    : renderMarkdown([paragraph(`Accepted by a note in the history: ${notes.join('; ')}`)]);

/** The level before a step (0) or behind it (1). */
function levelText({ line, step }: Moved, side: 0 | 1): string {
  const level = line.levels[line.steps.indexOf(step) + side];
  return level === undefined ? MISSING : valueText(line, level.value);
}

/** The options of `joulediff history` that name this history. */
export const placeOptions = ({ file, branch }: { readonly file: string | null; readonly branch: string | null }) =>
  file === null ? `--branch ${branch}` : `--file ${copiedWord(file)}`;
