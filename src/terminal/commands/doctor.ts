import { hostname } from 'node:os';
import type { Examined, Patient } from '../../doctor/examination.ts';
import { examineMachine } from '../../doctor/examinations.ts';
import { thisMachine } from '../../doctor/this-machine.ts';
import { machineName, processorName } from '../../machine/identity.ts';
import { validateMeterNames } from '../../meters/registry.ts';
import { screenJson } from '../../text/plain.ts';
import { command } from '../command.ts';
import { doctorText } from '../doctor-text.ts';
import { type Terminal, useColour } from '../terminal.ts';

const UNFIT = 1;
const WIDTH = 80;
const WIDEST = 100;

export function doctorCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return command('doctor', 'check whether this machine is fit to measure, and print what to do; change nothing')
    .option('--meter <NAME>', 'the meter to be used', 'auto')
    .option('--all', 'say how each thing was checked and why it matters, even where all is well')
    .option('--json', 'print JSON')
    .action(async ({ meter, all = false, json = false }) => {
      validateMeterNames([meter]);
      if (!json && stderr.isTTY) stderr.write('Examining this machine …');
      const patient = thisMachine(meter);
      const examined = await examineMachine(patient);
      if (!json && stderr.isTTY) stderr.write('\r\x1b[K');
      const width = Math.min(WIDEST, stdout.columns ?? WIDTH);
      stdout.write(
        json ? jsonText(examined) : doctorText(title(patient), examined, { colour: useColour(stdout), width, all }),
      );
      if (examined.some(({ state }) => state === 'fail')) terminal.exitCode = UNFIT;
    });
}

const title = ({ files }: Patient): string =>
  [hostname(), machineName(files), processorName(files)].filter((part) => part !== null).join(' · ');

function jsonText(examined: readonly Examined[]): string {
  const checks = examined.map(({ name, group, state, seen, how, why, remedy, note }) => ({
    name,
    group,
    state,
    seen,
    how,
    why,
    remedy,
    note,
  }));
  return `${screenJson(JSON.stringify({ checks }, null, 2))}\n`;
}
