import { hostname } from 'node:os';
import { InputError } from '../../../errors.ts';
import { HOST_ADDRESS, machineOf } from '../../../hosts/address.ts';
import { machineName, processorName } from '../../../machine/identity.ts';
import { checkRemoteMeters } from '../../../measure/remote.ts';
import { validateMeterNames } from '../../../meters/registry.ts';
import { command } from '../../../terminal/command.ts';
import { stopSignal } from '../../../terminal/stop.ts';
import { printAnswer, type Terminal, useColor } from '../../../terminal/terminal.ts';
import type { Examined, Patient } from '../doctor/examination.ts';
import { examineMachine } from '../doctor/examinations.ts';
import { overSsh } from '../doctor/over-ssh.ts';
import { thisMachine } from '../doctor/this-machine.ts';
import { doctorText } from './doctor-text.ts';

const UNFIT = 1;
const WIDTH = 80;
const WIDEST = 100;

export function doctorCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return command('doctor', 'check whether this machine is fit to measure, and print what to do; change nothing')
    .option('--meter <NAME>', 'the meter to be used; default auto, and none with --host')
    .option('--host <ADDRESS>', 'check another machine over SSH, such as ssh://user@machine')
    .option('--all', 'say how each thing was checked and why it matters, even if it passed')
    .action(async ({ meter, host, all = false, json = false }) => {
      const address = host === undefined ? null : checkedHost(host, meter);
      validateMeterNames([meter ?? 'auto']);
      if (!json && stderr.isTTY) stderr.write(`Examining ${host ?? 'this machine'} …`);
      await using remote = address === null ? null : await overSsh(address, meter ?? null, stopSignal({ stderr }));
      const patient = remote?.patient ?? thisMachine(meter ?? 'auto');
      const examined = await examineMachine(patient);
      remote?.check();
      if (!json && stderr.isTTY) stderr.write('\r\x1b[K');
      const width = Math.min(WIDEST, stdout.columns || WIDTH);
      const options = { color: useColor(stdout), width, all };
      const machine = address !== null && { machine: machineOf(address) };
      if (json) printAnswer(terminal, 'doctor', { checks: toChecks(examined) });
      else stdout.write(doctorText(title(patient), examined, { ...options, ...machine }));
      if (examined.some(({ state }) => state === 'fail')) terminal.exitCode = UNFIT;
    });
}

const title = ({ host, files }: Patient): string =>
  [
    host,
    host === null ? hostname() : files.text('/proc/sys/kernel/hostname'),
    machineName(files),
    processorName(files),
    host === null ? null : `seen from ${hostname()}; paste commands there, those of joulediff here`,
  ]
    .filter((part) => part !== null)
    .join(' · ');

/** Validates the address of another machine. Throws InputError. */
function checkedHost(host: string, meter: string | undefined): string {
  if (!HOST_ADDRESS.test(host)) {
    throw new InputError(`--host is ${JSON.stringify(host)}, and has to be like ssh://user@machine.`);
  }
  if (meter === 'auto') {
    throw new InputError('--meter auto would choose among what is connected to this machine.', {
      advice: 'joulediff can’t know which meter measures the other machine: name it.',
    });
  }
  if (meter !== undefined) checkRemoteMeters({ host, meters: [meter] });
  return host;
}

const toChecks = (examined: readonly Examined[]) =>
  examined.map(({ name, group, state, seen, how, why, remedy, note }) => ({
    name,
    group,
    state,
    seen,
    how,
    why,
    remedy,
    note,
  }));
