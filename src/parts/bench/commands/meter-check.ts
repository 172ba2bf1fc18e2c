import type { MeterInfo } from '../../../contracts/reading.ts';
import { InputError, MeasureError } from '../../../errors.ts';
import { isUndecided, type Passport } from '../../../findings/passport.ts';
import { lockMachine } from '../../../measure/lock.ts';
import { readPassport, writePassport } from '../../../meters/passport.ts';
import { openMeters, validateMeterNames } from '../../../meters/registry.ts';
import { calibrationText } from '../../../report/words/calibration.ts';
import { raisePriority, restorePriority } from '../../../system/priority.ts';
import { command } from '../../../terminal/command.ts';
import { numberOf } from '../../../terminal/options.ts';
import { stopSignal } from '../../../terminal/stop.ts';
import { atSpaces, printJson, type Streams, type Terminal, useColor } from '../../../terminal/terminal.ts';
import { durationText } from '../../../text/numbers.ts';
import { visible } from '../../../text/plain.ts';
import { busyProcessors, type Load } from '../tools/busy-processors.ts';
import { fitCalibration, referenceLoad } from '../tools/calibration.ts';
import { checkedChannel, checkMeter, type MeterCheck } from '../tools/check.ts';
import { readReference, referenceTimes } from '../tools/reference.ts';
import { planSteps, type StepPlan, type StepProgress } from '../tools/step-test.ts';
import { checkText } from './check-text.ts';

const DEFAULT_STEPS = 5;
const FAILED = 3;

const STEPS = numberOf('--steps', { minimum: 1, maximum: 100, unit: 'steps', whole: true });

export function meterCheckCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return command(
    'check',
    'check that a meter (default auto) reads plausible values and is connected to this machine, and how late its readings are',
  )
    .argument('[NAME]')
    .option('--steps <N>', 'how many times to load the processors', STEPS, DEFAULT_STEPS)
    .option(
      '--reference <LOAD>',
      'instead, read a load of known power (60W or 60W±0.5%), alone on the meter, and correct the meter by it; a second load, or 0W, also finds an offset; none: forget all of them',
    )
    .action(async (name = 'auto', { steps, reference, json = false }) => {
      if (reference !== undefined) return await calibrate(name, reference, json, terminal);
      if (validateMeterNames([name]).length > 1) throw new InputError('Only one meter can be checked at a time.');
      const signal = stopSignal({ stderr });
      using _lock = lockMachine('the check of a meter');
      raisePriority();
      try {
        const { check, path } = await run(name, steps, signal, stderr);
        if (json) printJson(terminal, check.passport);
        else stdout.write(atSpaces(stdout, checkText(check, path, { color: useColor(stdout) })));
        terminal.exitCode = check.passport.passed ? 0 : FAILED;
      } finally {
        restorePriority();
      }
    });
}

async function run(
  name: string,
  steps: number,
  signal: AbortSignal,
  stderr: Streams['stderr'],
): Promise<{ check: MeterCheck; path: string | null }> {
  const { meters, chosen } = await openMeters([name]);
  const meter = meters[0];
  if (!meter) throw new Error('no meter was opened');
  const { info } = meter;
  try {
    if (chosen !== null) stderr.write(atSpaces(stderr, `${visible(chosen)}\n`));
    for (const remark of info.remarks) stderr.write(atSpaces(stderr, `${visible(remark)}\n`));
    const plan = planSteps(info, checkedChannel(info), steps);
    const load = await busyProcessors(plan.phaseS);
    try {
      stderr.write(atSpaces(stderr, `Checking ${visible(info.type)} ${stepsText(load, plan)}\n`));
      const report = reporter(stderr, steps);
      try {
        const check = await checkMeter(meter, load, steps, { signal, report });
        return { check, path: isKept(check, info) ? await writePassport(info, withCalibration(check, info)) : null };
      } finally {
        if (stderr.isTTY) stderr.write('\r\x1b[K');
      }
    } finally {
      await load.end();
    }
  } finally {
    await meter.stop();
  }
}

/** Whether to keep a check: one with only disturbed steps shows rate and resolution, and must not replace a check of this plug. */
function isKept({ passport }: MeterCheck, info: MeterInfo): boolean {
  if (passport.step !== null) return true;
  return isUndecided(passport) && (readPassport(info)?.step ?? null) === null;
}

/** Number and duration of a test's steps, as the end of a sentence. */
export function stepsText(load: Load, { steps, totalS }: StepPlan): string {
  const times = steps === 1 ? 'once, with idle time before and after it' : `${steps} times, with idle time in between`;
  return `by keeping ${load.words} ${times}. This takes ${durationText(totalS)}; please leave the machine alone.`;
}

/** The new passport with the calibration points of the earlier one, which remain valid. */
function withCalibration({ passport }: MeterCheck, info: MeterInfo): Passport {
  const calibration = readPassport(info)?.calibration;
  return calibration === undefined ? passport : { ...passport, calibration };
}

/** Measures a reference load, and stores the calibration from it and the earlier loads. */
async function calibrate(name: string, reference: string, json: boolean, { stdout, stderr }: Terminal): Promise<void> {
  if (validateMeterNames([name]).length > 1) throw new InputError('Only one meter can be calibrated at a time.');
  const load = reference === 'none' ? null : referenceLoad(reference);
  const signal = stopSignal({ stderr });
  using _lock = lockMachine('the calibration of a meter');
  const { meters } = await openMeters([name]);
  const [meter] = meters;
  if (!meter) throw new Error('no meter was opened');
  try {
    const { info } = meter;
    const passport = calibratable(info);
    if (load === null) {
      const { calibration: _, ...before } = passport;
      const path = await writePassport(info, before);
      if (json) printJson({ stdout }, before);
      else stdout.write(`The readings are no longer corrected. ${visible(path)}\n`);
      return;
    }
    const channel = checkedChannel(info);
    const { settleS, readS } = referenceTimes(meter, channel);
    stderr.write(
      atSpaces(
        stderr,
        `Reading ${visible(info.type)} for ${durationText(settleS + readS)}: nothing but the load of ${load.powerW} W may be on it.\n`,
      ),
    );
    if (load.limitW === null && load.powerW > 0) {
      stderr.write(
        atSpaces(
          stderr,
          `Its uncertainty isn't given, so it is taken as exact: --reference ${load.powerW}W±0.5% says it.\n`,
        ),
      );
    }
    const point = await readReference(meter, channel, load, { signal });
    const earlier = passport.calibration?.by === null ? passport.calibration.points : [];
    const points = [...earlier.filter(({ true_w }) => true_w !== point.true_w), point];
    const calibration = fitCalibration(points, info.accuracy);
    const path = await writePassport(info, { ...passport, calibration });
    const text =
      `Read        ${point.read_w.toFixed(3)} W ± ${(2 * point.read_u_w).toFixed(3)} W for ${load.powerW} W, from ${point.readings} readings\n` +
      `Calibration ${calibrationText(calibration)}\n\nEvery energy that is measured with this meter from now on is corrected this way; stored readings stay as they were.\nThe passport was saved to ${visible(path)}.\n`;
    if (json) printJson({ stdout }, { ...passport, calibration });
    else stdout.write(atSpaces(stdout, text));
  } finally {
    await meter.stop();
  }
}

/** The passport that stores the calibration. Throws InputError if the meter can't be calibrated, MeasureError without a passport. */
export function calibratable(info: MeterInfo): Passport {
  if (info.source === 'modelled' || checkedChannel(info).integration === 'counter') {
    throw new InputError(`${info.type} can't be calibrated: no load can be plugged into it.`);
  }
  const passport = readPassport(info);
  if (passport !== null) return passport;
  throw new MeasureError('This meter has no passport yet, which a calibration is kept in.', {
    advice: 'Run `joulediff meter check` with the machine on the meter first, then with the reference load.',
  });
}

/** Progress of a test: one rewritten line on a terminal, else a line per step. */
export function reporter(stderr: Streams['stderr'], steps: number): (progress: StepProgress) => void {
  return ({ step, busy, leftS }) => {
    const what =
      step === 0 ? 'idle, before the first step' : `step ${step} of ${steps}: ${busy ? 'busy' : 'idle again'}`;
    const line = `${what} · ${durationText(leftS)} left`;
    if (stderr.isTTY) stderr.write(`\r\x1b[K${line.slice(0, (stderr.columns || 80) - 1)}`);
    else if (busy || step === 0) stderr.write(`${line}\n`);
  };
}
