import { JoulediffError, messageOf, Stopped } from '../errors.ts';
import { screenText } from '../text/screen.ts';

const MAX = 2000;

/** Message and advice of an error, as text for the user. */
export function errorText(error: unknown): string {
  if (error instanceof Stopped) {
    return `The job was cancelled (${error.signalName}) before the experiment was complete.\nThe finished runs are kept, and reported as partial.`;
  }
  const advice = error instanceof JoulediffError ? error.advice : null;
  const message = messageOf(error);
  return advice === null ? message : `${message}\n${advice}`;
}

/**
 * Markdown that says how the experiment ended. The error's text may quote a workload's output, so it is in a
 * code block with a fence longer than any in the text.
 */
export function errorNote(error: unknown, anyResult: boolean): string {
  const whole = screenText(errorText(error)).replaceAll('\t', ' ');
  const text = whole.length > MAX ? `${whole.slice(0, MAX).toWellFormed()}…` : whole;
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const title = anyResult
    ? '**The experiment ended early; the numbers cover what was measured until then.**'
    : '**joulediff could not measure this.**';
  return `${title}\n\n${fence}text\n${text}\n${fence}`;
}
