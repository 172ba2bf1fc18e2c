import type { MeterInfo } from '../../contracts/reading.ts';
import { InputError, MeasureError, withoutFullStop } from '../../errors.ts';
import { shellWord } from '../../text/shell.ts';
import { COARSE_MS, COARSE_READINGS, COARSE_SHEET, coarse, MAX_SERVER_W } from '../coarse.ts';
import { excerpt } from '../excerpt.ts';
import type { Meter, MeterHost, MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { secretOption } from '../network/address.ts';
import { accuracyOption, checkOptionNames, sourceOption } from '../options.ts';
import { PolledMeter, type PolledReading } from '../polled-meter.ts';

const SHEET: MeterSheet = {
  ...COARSE_SHEET,
  product: 'servers whose controller speaks IPMI with DCMI',
  wiring: 'none',
};

/** A server's management controller by IPMI's DCMI, as `ipmitool` reads it: one process a reading. */
export const ipmi: MeterType = {
  type: 'ipmi',
  ownMachine: (name) => parseSettings(name).host === null,
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  async open(name, host) {
    const settings = parseSettings(name);
    secretOption(name, 'password-env');
    const first = await reading(settings, host);
    if ('missing' in first) {
      throw new MeasureError(`No power can be read by ${settings.program}: ${first.missing}.`, { advice: ADVICE });
    }
    return meterOf(settings, host);
  },
};

const ADVICE =
  'Try `ipmitool dcmi power reading`: it must print watts. On this machine it needs root, or a rule that lets your user open /dev/ipmi0; many controllers know no DCMI.';

interface Settings {
  /** Name or address of the controller; null: this machine's own, by the kernel's driver. */
  readonly host: string | null;
  readonly user: string | null;
  /** Name of the environment variable that holds the password. */
  readonly password: string | null;
  readonly program: string;
  readonly accuracy: MeterInfo['accuracy'];
  readonly source: MeterInfo['source'];
}

function parseSettings(name: MeterName): Settings {
  checkOptionNames(name, ['user', 'password-env', 'program', 'gain', 'offset', 'source']);
  const { user = null, 'password-env': password = null, program = 'ipmitool' } = name.options;
  const { address } = name;
  if (address !== null && !/^[\w.-]+$|^[0-9a-fA-F:]+$/.test(address)) {
    throw new InputError(`"${address}" in the meter name "${name.text}" is not a host.`, {
      advice: 'Write ipmi for this machine’s own controller, or ipmi:HOST?user=reader&password-env=BMC_PASSWORD.',
    });
  }
  if ((address === null) !== (user === null) || (address === null) !== (password === null)) {
    throw new InputError(
      address === null
        ? `The options user and password-env in the meter name "${name.text}" are for a controller in the network.`
        : `The meter "${name.text}" needs a user and a password.`,
      { advice: 'Write ipmi for this machine’s own controller, or ipmi:HOST?user=reader&password-env=BMC_PASSWORD.' },
    );
  }
  return { host: address, user, password, program, accuracy: accuracyOption(name), source: sourceOption(name) };
}

function meterOf(settings: Settings, host: MeterHost): Meter {
  const { minimumGuardS, channels, remarks } = coarse(null);
  const info: MeterInfo = {
    type: ipmi.type,
    address: settings.host,
    source: settings.source,
    identity: { by: settings.program },
    accuracy: settings.accuracy,
    minimumGuardS,
    channels,
    remarks: settings.host === null ? [...remarks, WORKS] : remarks,
  };
  const source = {
    read: () => reading(settings, host),
    // The controller may come back: the meter is lost only when no reading has come for long.
    onEnd: () => {},
    close: async () => {},
  };
  return new PolledMeter(info, source, host.clock, COARSE_READINGS);
}

const WORKS = 'Every 5 s ipmitool is started on this machine, whose processors work for it for some milliseconds.';

/** Marks the end of an answer, with its exit code. The shell then waits to be stopped, so that no line after it is lost. */
const END = 'joulediff: ended with';

/** Shell command; the password is in the environment, since a list of processes would show it on the command line. */
function commandOf({ host, user, password, program }: Settings): string {
  const remote = host === null ? [] : ['-I', 'lanplus', '-H', shellWord(host), '-U', shellWord(user ?? ''), '-E'];
  const words = [shellWord(program), ...remote, 'dcmi', 'power', 'reading'].join(' ');
  const given = password === null ? '' : `IPMI_PASSWORD="$${password}" `;
  return `${given}${words} 2>&1; echo "${END} $?"; read -r _`;
}

const MAX_LINES = 50;

async function reading(settings: Settings, host: MeterHost): Promise<PolledReading> {
  const askedNs = host.clock.nowNs();
  const program = host.startProgram(commandOf(settings), settings.password === null ? [] : [settings.password]);
  const lines: string[] = [];
  const { promise, resolve } = Promise.withResolvers<PolledReading>();
  const callOff = host.clock.after(COARSE_MS, () => resolve({ missing: `nothing came within ${COARSE_MS / 1000} s` }));
  program.onLine((line, tNs) => {
    if (line.startsWith(END)) resolve(reported(lines, line.endsWith(' 0'), askedNs + (tNs - askedNs) / 2n));
    else if (lines.length < MAX_LINES) lines.push(line);
  });
  program.onEnd((error) => resolve({ missing: withoutFullStop(error.message) }));
  try {
    return await promise;
  } finally {
    callOff();
    await program.stop();
  }
}

/** What `ipmitool` 1.8 prints (`lib/ipmi_dcmi.c`): the power as of now, its least, most and mean, and whether it is measured at all. */
function reported(lines: readonly string[], ended: boolean, tNs: bigint): PolledReading {
  const find = (pattern: RegExp) => lines.map((line) => pattern.exec(line)?.[1]).find((text) => text !== undefined);
  const watts = find(/^\s*Instantaneous power reading:\s+(\d{1,6}) Watts\s*$/);
  const state = find(/^\s*Power reading state is:\s+(\w+)\s*$/);
  if (!ended || watts === undefined) {
    const said = lines.map((line) => line.trim()).find((line) => line !== '');
    return { missing: said === undefined ? 'it says nothing' : `it says ${excerpt(said, 120)}` };
  }
  if (state !== 'activated') return { missing: 'the controller’s power measurement is not activated' };
  const powerW = Number(watts);
  return powerW > MAX_SERVER_W ? { missing: `it reports ${powerW} W` } : { tNs, powerW: [powerW], note: null };
}
