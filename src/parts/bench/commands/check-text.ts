import type { Passport, PassportCheck } from '../../../findings/passport.ts';
import { passportCheckWords } from '../../../report/words/passport-checks.ts';
import { plural, visible } from '../../../text/plain.ts';
import type { MeterCheck } from '../tools/check.ts';
import { histogram } from '../tools/timing.ts';

const BAR_WIDTH = 40;

/** The result of `meter check` as text. */
export function checkText(
  { passport, timing }: MeterCheck,
  path: string | null,
  { color }: { color: boolean },
): string {
  const lines = [
    `${visible(passport.type)}${passport.address === null ? '' : ` on ${visible(passport.address)}`}${sourceWords(passport)}`,
    `  ${Object.entries(passport.identity)
      .map(([key, value]) => `${visible(key)} ${visible(String(value))}`)
      .join(' · ')}`,
    '',
    `Readings    ${passport.readings} of ${visible(passport.channel)} in ${passport.duration_s.toFixed(0)} s, one every ${passport.period_s.toFixed(4)} s; longest interval ${passport.longest_interval_s.toFixed(3)} s; gaps ${passport.gaps}`,
    ...(passport.resolution_w === null
      ? []
      : [`Resolution  ${significant(passport.resolution_w)} W, the smallest step between two readings`]),
    `Jitter      ${milliseconds(passport.jitter_s)} ms (standard deviation)`,
    ...replyLines(passport),
    ...histogramLines(timing?.deviationsS ?? []),
    ...stepLines(passport),
    '',
    ...passport.checks.flatMap((check) => checkLines(check, color)),
    '',
    conclusion(passport),
    path === null ? 'No passport was written.' : `The passport was saved to ${visible(path)}.`,
  ];
  return `${lines.join('\n')}\n`;
}

function conclusion({ passed, step, source }: Passport): string {
  if (source === 'modelled') {
    if (passed) return 'The model follows this machine. It is not a measurement, so there is no wiring to test.';
    return step === null
      ? 'The check could not tell whether the model follows this machine.'
      : 'The model does not follow this machine as it should.';
  }
  if (passed) return 'The meter passed its check.';
  return step === null
    ? 'The check could not tell whether this meter can be trusted.'
    : 'The meter failed its check. Find the cause before you measure with it.';
}

function sourceWords({ source }: Passport): string {
  if (source === 'emulated') return ' (EMULATED: not a measurement)';
  return source === 'modelled' ? ' (a MODEL: not a measurement)' : '';
}

function histogramLines(deviationsS: readonly number[]): string[] {
  const rows = histogram(deviationsS);
  const most = Math.max(1, ...rows.map(({ count }) => count));
  const labels = rows.map(({ fromS, toS }) => `${milliseconds(fromS)} to ${milliseconds(toS)} ms`);
  const width = Math.max(0, ...labels.map((label) => label.length));
  return rows.map(({ count }, i) => {
    const bar = '█'.repeat(Math.max(count > 0 ? 1 : 0, Math.round((BAR_WIDTH * count) / most)));
    return `  ${(labels[i] as string).padStart(width)}  ${bar}${bar === '' ? '' : ' '}${count}`;
  });
}

function replyLines({ reply }: Passport): string[] {
  if (reply === undefined) return [];
  return [
    `Replies     ${milliseconds(reply.mean_s)} ms after the question on average, ${milliseconds(reply.max_s)} ms at the most`,
  ];
}

function stepLines({ step, latency, guard_needed_s, settling }: Passport): string[] {
  if (step === null) return [];
  const spread = step.sd_w === null ? '' : ` ± ${step.sd_w.toFixed(2)} W`;
  const lines = [
    `Step test   idle P0 ${step.idle_w.toFixed(1)} W, busy P1 ${step.busy_w.toFixed(1)} W: a step of ${step.step_w.toFixed(1)} W${spread}, seen ${step.seen} of ${step.judged} times${step.judged < step.made ? ` (${step.made - step.judged} more were disturbed)` : ''}`,
  ];
  if (latency !== null) {
    const sd = latency.sd_s === null ? '' : `, standard deviation ${latency.sd_s.toFixed(2)} s`;
    lines.push(
      `Latency     ${latency.mean_s.toFixed(2)} s${sd}, largest ${latency.max_s.toFixed(2)} s, from ${plural(latency.edges, 'edge')}`,
    );
  }
  if (guard_needed_s !== null) {
    lines.push(`Guard       ${guard_needed_s.toFixed(1)} s, to include every reading affected by a step`);
  }
  if (settling !== undefined) {
    const { after_s: after, watched_s: watched } = settling;
    lines.push(
      after === null
        ? `Settling    power had not returned to its idle noise ${watched.toFixed(0)} s after the last load`
        : `Settling    power returned to its idle noise ${after.toFixed(1)} s after the last load`,
    );
  }
  return lines;
}

const COLORS = { ok: '\x1b[32m', warn: '\x1b[33m', fail: '\x1b[31m' };

function checkLines(check: PassportCheck, color: boolean): string[] {
  const { state } = check;
  const { found, advice } = passportCheckWords(check);
  const word = state.padEnd(4);
  const shown = color ? `${COLORS[state]}${word}\x1b[0m` : word;
  return [`${shown}  ${visible(found)}`, ...(advice === null ? [] : [`      ${visible(advice)}`])];
}

const milliseconds = (seconds: number): string => String(Number((seconds * 1000).toFixed(1)));

const significant = (value: number): string => String(Number(value.toPrecision(3)));
