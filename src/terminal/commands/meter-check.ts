import { InputError } from '../../errors.ts';
import { lockMachine } from '../../measure/lock.ts';
import { writePassport } from '../../meters/passport.ts';
import { openMeters, validateMeterNames } from '../../meters/registry.ts';
import { busyProcessors } from '../../meters/tools/busy-processors.ts';
import { checkedChannel, checkMeter, type MeterCheck } from '../../meters/tools/check.ts';
import { planSteps, type StepProgress } from '../../meters/tools/step-test.ts';
import { raisePriority, restorePriority } from '../../system/priority.ts';
import { screenJson, visible } from '../../text/plain.ts';
import { checkText } from '../check-text.ts';
import { command } from '../command.ts';
import { numberOf } from '../options.ts';
import { stopSignal } from '../stop.ts';
import { durationText, type Streams, type Terminal, useColour } from '../terminal.ts';

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
    .option('--json', 'print the passport as JSON')
    .action(async (name = 'auto', { steps, json = false }) => {
      if (validateMeterNames([name]).length > 1) throw new InputError('Only one meter can be checked at a time.');
      const signal = stopSignal({ stderr });
      using _lock = lockMachine('the check of a meter');
      raisePriority();
      try {
        const { check, path } = await run(name, steps, signal, stderr);
        const text = () => checkText(check, path, { colour: useColour(stdout) });
        stdout.write(json ? `${screenJson(JSON.stringify(check.passport, null, 2))}\n` : text());
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
    if (chosen !== null) stderr.write(`${visible(chosen)}\n`);
    const load = await busyProcessors();
    try {
      const { totalS } = planSteps(info, checkedChannel(info), steps);
      stderr.write(
        `Checking ${visible(info.type)}: ${steps} ${steps === 1 ? 'time' : 'times'} idle and ${load.words}, ${durationText(totalS)} in all. Please leave the machine alone.\n`,
      );
      const report = reporter(stderr, steps);
      try {
        const check = await checkMeter(meter, load, steps, { signal, report });
        // What says nothing of the meter's plug takes the place of nothing that does.
        return { check, path: check.passport.step === null ? null : await writePassport(info, check.passport) };
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

/** One line that is rewritten on a terminal, else a line for each step. */
function reporter(stderr: Streams['stderr'], steps: number): (progress: StepProgress) => void {
  return ({ step, busy, leftS }) => {
    const what =
      step === 0 ? 'idle, before the first step' : `step ${step} of ${steps}: ${busy ? 'busy' : 'idle again'}`;
    const line = `${what} · ${durationText(leftS)} left`;
    if (stderr.isTTY) stderr.write(`\r\x1b[K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
    else if (busy || step === 0) stderr.write(`${line}\n`);
  };
}
