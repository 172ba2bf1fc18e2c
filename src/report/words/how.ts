import type { Findings } from '../../findings/findings.ts';
import { duration, significant } from '../../text/numbers.ts';
import { plain, plural } from '../../text/plain.ts';

/** `watts-up-pro, a reading every 1 s`. */
export function meterText(findings: Findings): string {
  const { type, sampling_period_s: period } = findings.meter;
  return `${plain(type, 60)}${period === null ? '' : `, a reading every ${duration(period)}`}`;
}

/** `30 randomized blocks`, `12 of 30 randomized blocks`, and how it ended where it could end early. */
export function blocksText(findings: Findings): string {
  const { order, repetitions_planned: planned, repetitions_completed: done, complete } = findings.experiment;
  const randomized = order === 'randomized-blocks';
  const noun = randomized ? 'randomized block' : 'block';
  if (planned === null) return done === null ? 'runs without blocks' : plural(done, noun);
  const { looks } = findings.experiment;
  if (looks && looks.stopped_at !== null && done !== null) {
    return `${done} of at most ${plural(planned, noun)}, ended early by plan at look ${looks.used} of ${looks.planned.length}`;
  }
  const looked = looks ? `, ${looks.used} of ${plural(looks.planned.length, 'look')} taken` : '';
  if (done === null || (complete && done === planned)) return `${plural(planned, noun)}${looked}`;
  return `${done} of ${plural(planned, noun)}${looked}`;
}

/** `blocks, order, meter, noise floor` in one line. */
export function howParts(findings: Findings): string[] {
  const { seed } = findings.experiment;
  return [
    `${blocksText(findings)}${seed === null ? '' : ` (seed ${seed})`}`,
    `meter: ${meterText(findings)}`,
    noiseFloorText(findings),
  ];
}

function noiseFloorText({ quality: { noise_floor: floor } }: Findings): string {
  if (floor === null) return 'noise floor not measured';
  const when = floor.source === 'inline' ? 'within this experiment' : `on ${floor.measured_at?.slice(0, 10)}`;
  return `noise floor ±${significant(floor.percent, 2)} % (measured ${when})`;
}
