/**
 * An emulated meter on a pseudo-terminal or in the network, with a known true power:
 *
 *   node __tests__/emulators/program.ts TYPE --link DIR/meter --control DIR/control --log DIR/truth.jsonl
 *
 * Prints its address when it can be opened: DIR/meter, or HOST:PORT. One in the network knows `on` and `off` only. What is written to the FIFO DIR/control, a line each, steers it:
 *   on [NS], off [NS]   the machine takes --load watts from here, or --idle again; NS on CLOCK_MONOTONIC, else the time of arrival
 *   drop N              the next N records or answers that take their time are lost
 *   corrupt N           a bit of the next N of them is wrong
 *   refuse CODE         the next question is refused with this code, where the meter's protocol has such
 *   silence, resume     no records, no answers; and again
 *   spoil FAULT,…       the next replies are spoiled so, where the meter's emulator knows how
 *   set JSON            its registers are set as other software would, likewise
 *   noise               bytes that are no record
 *   unplug              the port goes away
 * The truth goes to the log, one JSON object a line; `truth.ts` reads it. It ends on SIGTERM, with its parent, and when unplugged.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, constants, existsSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants as os, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type EmulatorSettings, runEmulator } from '../../src/meters/emulator/emulator.ts';
import { type EmulatedDevice, serveDevice } from '../../src/meters/emulator/http-device.ts';
import { openPty } from '../../src/meters/emulator/pty.ts';
import { emulatedDevices } from '../../src/meters/registry.ts';
import { SYSTEM_CLOCK } from '../../src/system/clock.ts';
import { OPTIONS, SteeredLoad, SteeredMeter } from './steered.ts';

const text = { type: 'string' } as const;
const {
  values: { link, control, log, ...options },
  positionals: [type = ''],
} = parseArgs({ allowPositionals: true, options: { link: text, control: text, log: text, ...OPTIONS } });
if (!link || !control || !log) throw new Error('--link, --control and --log are needed');

// A real meter is punctual however busy the machine is.
try {
  setPriority(os.priority.PRIORITY_HIGH);
} catch {
  // Only root may.
}

const write = (entry: object) =>
  appendFileSync(log, `${JSON.stringify(entry, (_, value) => (typeof value === 'bigint' ? String(value) : value))}\n`);

/** Gives its address, and what steers it. */
async function onPort(path: string): Promise<[string, (line: string) => void]> {
  const port = await openPty(path);
  port.onEnd(() => end('unplugged'));
  const meter = new SteeredMeter(type, options, {
    clock: SYSTEM_CLOCK,
    send: (bytes) => port.write(bytes),
    unplug: () => void port.close().then(() => end('unplugged')),
    log: write,
  });
  runEmulator(meter, port);
  return [path, (line) => meter.steer(line)];
}

async function inNetwork(
  emulate: (settings: EmulatorSettings) => EmulatedDevice,
): Promise<[string, (line: string) => void]> {
  const load = new SteeredLoad(options, { clock: SYSTEM_CLOCK, log: write });
  const { address } = await serveDevice(emulate(load.settings), 0);
  const turn = (line: string) => {
    if (line === 'on' || line === 'off') load.turn(line, SYSTEM_CLOCK.nowNs(), 0n);
    else write({ kind: 'unknown', line });
  };
  return [address, turn];
}

const device = emulatedDevices.find((one) => one.type === type);
const [address, steer] = await (device ? inNetwork(device.emulateDevice) : onPort(link));

// Opened for both directions, so that it is never at its end and no writer waits for a reader.
if (!existsSync(control)) spawnSync('mkfifo', ['-m', '666', control]);
const commands = new Socket({
  fd: openSync(control, constants.O_RDWR | constants.O_NONBLOCK),
  readable: true,
  writable: false,
});
createInterface({ input: commands }).on('line', steer);

function end(why: string): void {
  write({ kind: 'end', why });
  rmSync(link as string, { force: true });
  rmSync(control as string, { force: true });
  process.exit();
}
process.on('SIGTERM', () => end('SIGTERM'));
process.on('SIGINT', () => end('SIGINT'));
const parent = process.ppid;
setInterval(() => process.ppid === parent || end('the parent died'), 250);
process.stdout.write(`${address}\n`);
