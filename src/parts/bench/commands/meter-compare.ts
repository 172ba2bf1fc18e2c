import { writeFile } from 'node:fs/promises';
import { InputError, MeasureError, messageOf } from '../../../errors.ts';
import { lockMachine } from '../../../measure/lock.ts';
import type { Meter } from '../../../meters/meter.ts';
import { readPassport, writePassport } from '../../../meters/passport.ts';
import { openMeters, validateMeterNames } from '../../../meters/registry.ts';
import { paper } from '../../../report/charts/canvas/theme.ts';
import { chartFile } from '../../../report/charts/draw.ts';
import { calibrationText } from '../../../report/words/calibration.ts';
import { passportCheckWords } from '../../../report/words/passport-checks.ts';
import { raisePriority, restorePriority } from '../../../system/priority.ts';
import { command } from '../../../terminal/command.ts';
import { numberOf } from '../../../terminal/options.ts';
import { stopSignal } from '../../../terminal/stop.ts';
import { atSpaces, printAnswer, type Terminal } from '../../../terminal/terminal.ts';
import { short } from '../../../text/numbers.ts';
import { visible } from '../../../text/plain.ts';
import { blandAltmanChart } from '../charts/bland-altman/bland-altman.ts';
import { busyProcessors } from '../tools/busy-processors.ts';
import { checkedChannel } from '../tools/check.ts';
import { compareMeters, type MeterComparison, recordBoth } from '../tools/compare.ts';
import { planForBoth, planSteps } from '../tools/step-test.ts';
import { calibratable, reporter, stepsText } from './meter-check.ts';

const STEPS = numberOf('--steps', { minimum: 1, maximum: 100, unit: 'steps', whole: true });

interface Options {
  readonly steps: number;
  readonly keep: boolean;
  readonly picture: string | undefined;
  readonly json: boolean;
}

export function meterCompareCommand(terminal: Terminal) {
  return command('compare', 'compare a meter with a better one that sees the same load: gain, offset, lag and scatter')
    .argument('<METER>')
    .argument('<BETTER>')
    .option('--steps <N>', 'how many times to load the processors', STEPS, 5)
    .option('--keep', 'correct METER by this comparison from now on, with the uncertainty of BETTER’s class')
    .option('--picture <FILE>', 'draw the differences against the mean of both (Bland and Altman), as .svg or .png')
    .action(async (first, better, { steps, keep = false, picture, json = false }) => {
      if (picture !== undefined && !/\.(?:svg|png)$/.test(picture)) {
        throw new InputError(`--picture ${picture} ends neither with .svg nor with .png.`);
      }
      if (validateMeterNames([first, better]).length !== 2)
        throw new InputError('Exactly two meters can be compared at a time.');
      await compare([first, better], { steps, keep, picture, json }, terminal);
    });
}

async function compare(names: readonly string[], options: Options, terminal: Terminal): Promise<void> {
  const { stdout, stderr } = terminal;
  const signal = stopSignal({ stderr });
  using _lock = lockMachine('the comparison of two meters');
  const [first, better] = (await openMeters(names)).meters as [Meter, Meter];
  raisePriority();
  try {
    const passport = options.keep ? keepable(first, better) : null;
    const comparison = await compared(first, better, options.steps, signal, stderr);
    if (options.picture !== undefined) await draw(comparison, names, options.picture);
    const path = passport && (await writePassport(first.info, { ...passport, calibration: comparison.calibration }));
    if (options.json) printAnswer(terminal, 'meter compare', answerOf(comparison, path));
    else stdout.write(atSpaces(stdout, text(comparison, first, better, path)));
  } finally {
    restorePriority();
    await Promise.all([first.stop(), better.stop()]);
  }
}

function answerOf({ calibration, lag, agreement, scatterW }: MeterComparison, passport: string | null) {
  const { gain, gain_u, offset_w } = calibration;
  const late = lag && { mean_s: lag.meanS, limit_s: lag.limitS, edges: lag.edges };
  return {
    gain,
    gain_u,
    offset_w,
    lag: late,
    bias_w: agreement.biasW,
    sd_w: agreement.sdW,
    scatter_w: scatterW,
    passport,
  };
}

/** Checks before the test that a passport can store the result, and that the error of the better meter is known at any power. */
function keepable(first: Meter, better: Meter) {
  const passport = calibratable(first.info);
  const calibration = readPassport(better.info)?.calibration;
  // The comparison uses the calibration where there is one, even if the class is known.
  if ((calibration ? calibration.gain_u : better.info.accuracy) !== null) return passport;
  throw new InputError(`How accurate ${better.info.type} is isn't known, so nothing can be calibrated against it.`, {
    advice:
      'State its limits of error with ?gain=PERCENT&offset=WATTS where its type takes them, or calibrate it with two different loads: `joulediff meter check --reference` for each.',
  });
}

async function compared(
  first: Meter,
  better: Meter,
  steps: number,
  signal: AbortSignal,
  stderr: Terminal['stderr'],
): Promise<MeterComparison> {
  const recorded = [first, better].map((meter) => ({ info: meter.info, channel: checkedChannel(meter.info) }));
  const [a, b] = recorded.map(({ info, channel }) => planSteps(info, channel, steps));
  const plan = planForBoth(a!, b!);
  const load = await busyProcessors(plan.phaseS);
  try {
    stderr.write(
      atSpaces(
        stderr,
        `Comparing ${visible(first.info.type)} with ${visible(better.info.type)} ${stepsText(load, plan)}\n`,
      ),
    );
    const { samples, phases } = await recordBoth(first, better, load, plan, {
      signal,
      report: reporter(stderr, steps),
    });
    const [ofFirst, ofBetter] = recorded.map((one, i) => ({ ...one, samples: samples[i] ?? [] }));
    const calibration = readPassport(better.info)?.calibration;
    const periodS = Math.max(...recorded.map(({ channel }) => channel.samplingPeriodS));
    const found = compareMeters(ofFirst!, { ...ofBetter!, calibration }, phases, { settleS: plan.settleS, periodS });
    if (found !== null) return found;
    throw new MeasureError('Hardly any readings came from one of the meters, so they can’t be compared.', {
      advice: 'Check each of them by itself with `joulediff meter check`.',
    });
  } finally {
    if (stderr.isTTY) stderr.write('\r\x1b[K');
    await load.end();
  }
}

async function draw(
  comparison: MeterComparison,
  [first = '', better = '']: readonly string[],
  path: string,
): Promise<void> {
  const subtitle = `Readings while this machine was idle and busy by turns · ${new Date().toISOString().slice(0, 10)}`;
  const spec = blandAltmanChart(comparison, { first, better, subtitle }, paper);
  try {
    await writeFile(path, await chartFile(spec, path));
  } catch (cause) {
    throw new MeasureError(`The picture could not be written to ${path}: ${messageOf(cause)}.`, { cause });
  }
}

function text(comparison: MeterComparison, first: Meter, better: Meter, path: string | null): string {
  const { calibration, lag, agreement, disturbances, scatterW, windowS, windows } = comparison;
  const { gain, gain_u, offset_w } = calibration;
  const [low, high] = [agreement.biasW - 1.96 * agreement.sdW, agreement.biasW + 1.96 * agreement.sdW];
  const emulated = [first, better].some(({ info }) => info.source === 'emulated')
    ? ' (EMULATED: not a measurement)'
    : '';
  return [
    `${visible(first.info.type)} against ${visible(better.info.type)}${emulated}`,
    '',
    `Gain       ${short(gain, 5)}${gain_u === null ? '' : ` ± ${short(2 * gain_u, 2)}`}: what its readings have to be multiplied by`,
    `Offset     ${short(offset_w, 3)} W to be added then`,
    lag === null
      ? 'Lag        not known: both saw too few undisturbed steps of the load'
      : `Lag        ${lag.meanS.toFixed(2)} s ± ${lag.limitS.toFixed(2)} s after ${visible(better.info.type)}, from ${lag.edges} steps`,
    `Scatter    ${short(scatterW, 2)} W around that line, from ${windows.length} means of ${short(windowS)} s`,
    `Agreement  as they read, they differ by ${short(agreement.biasW, 2)} W; 95 % of the means by ${short(low, 2)} W to ${short(high, 2)} W`,
    '',
    ...(disturbances.length === 0
      ? []
      : [
          ...disturbances.map((check) => `${check.state}  ${passportCheckWords(check).found}`),
          '      No lag is found from disturbed steps. Gain and offset hold: both meters saw the same load.',
          '',
        ]),
    `${visible(calibrationText(calibration))}.`,
    ...(path === null
      ? []
      : [
          `Energies of ${visible(first.info.type)} are corrected so from now on. The passport was saved to ${visible(path)}.`,
        ]),
    '',
  ].join('\n');
}
