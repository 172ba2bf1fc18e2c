/**
 * An emulated meter on a pseudo-terminal, with a known true power:
 *
 *   node __tests__/emulators/program.ts TYPE --link DIR/meter --control DIR/control --log DIR/truth.jsonl
 *
 * Prints `ready` when DIR/meter can be opened. What is written to the FIFO DIR/control, a line each, steers it:
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
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, constants, existsSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Bytes } from '../../src/meters/emulator/emulator.ts';
import { Load } from '../../src/meters/emulator/load.ts';
import { playedMeter } from './played.ts';

const {
  values: options,
  positionals: [type = ''],
} = parseArgs({
  allowPositionals: true,
  options: {
    link: { type: 'string' },
    control: { type: 'string' },
    log: { type: 'string' },
    idle: { type: 'string', default: '40' },
    load: { type: 'string', default: '65' },
    noise: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    phase: { type: 'string', default: '0.3' },
    latency: { type: 'string', default: '0.05' },
    /** What is at the port: the meter, or something that isn't one. */
    play: { type: 'string', default: 'meter' },
    reserved: { type: 'string', default: 'both' },
    'no-watts': { type: 'boolean', default: false },
    /** The adapter at the port hears what it sends. */
    echo: { type: 'boolean', default: false },
    /** Of the meter on its bus. */
    unit: { type: 'string', default: '1' },
    'without-alarm': { type: 'boolean', default: false },
    /** Power at a second outlet, and the state of a chip, as JSON. */
    second: { type: 'string', default: '0' },
    state: { type: 'string', default: '{}' },
  },
});
const { link, control, log } = options;
if (!link || !control || !log) throw new Error('--link, --control and --log are needed');

const nowNs = () => process.hrtime.bigint();
const ns = (secondsText: string) => BigInt(Math.round(Number(secondsText) * 1e9));
const write = (entry: object) =>
  appendFileSync(log, `${JSON.stringify(entry, (_, value) => (typeof value === 'bigint' ? String(value) : value))}\n`);

const originNs = nowNs() - ns(options.phase);
const load = new Load({
  idleW: Number(options.idle),
  loadW: Number(options.load),
  noiseW: Number(options.noise),
  seed: Number(options.seed),
  originNs,
});
write({ kind: 'load', ...load.options });

const settings = {
  energyJ: (from: bigint, to: bigint) => load.energyJ(from, to),
  originNs,
  seed: Number(options.seed),
  latencyNs: ns(options.latency),
};
const meter = playedMeter(type, settings, options);

const socat = startPort(link);
let toDrop = 0;
let toCorrupt = 0;
let silent = false;
let onNs: bigint | null = null;
let sentUntilNs = originNs;

function startPort(path: string): ChildProcess {
  const child = spawn('socat', ['-t0', `PTY,raw,echo=0,link=${path}`, 'STDIO'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.once('error', (error) => end(1, `socat could not be started: ${error.message}`));
  child.once('exit', () => end(0, 'unplugged'));
  child.stdin?.on('error', () => {});
  child.stdout?.on('data', (chunk: Buffer) => {
    write({ kind: 'received', t_ns: nowNs(), text: chunk.toString('latin1') });
    if (silent || options.play === 'silent') return;
    if (options.play === 'echo' || options.echo) send(chunk);
    if (options.play === 'meter') {
      send(meter.receive(chunk, nowNs()));
      plan();
    }
  });
  return child;
}

function send(bytes: Bytes): void {
  if (bytes.length > 0) socat.stdin?.write(Buffer.from(bytes as string, 'latin1'));
}

function corrupted(bytes: Bytes): Bytes {
  if (toCorrupt === 0) return bytes;
  toCorrupt--;
  const wrong = Buffer.from(bytes as string, 'latin1');
  const middle = wrong.length >> 1;
  wrong[middle] = (wrong[middle] ?? 0) ^ 0x10;
  return wrong;
}

let timer: NodeJS.Timeout | undefined;
function plan(): void {
  clearTimeout(timer);
  const dueNs = meter.dueNs();
  if (dueNs === null) return;
  timer = setTimeout(
    () => {
      if (nowNs() >= dueNs) {
        const record = meter.record();
        sentUntilNs = meter.toldUntilNs ?? dueNs - ns(options.latency);
        if (toDrop > 0) toDrop--;
        else if (!silent) send(corrupted(record));
      }
      plan();
    },
    Math.max(0, Math.ceil(Number(dueNs - nowNs()) / 1e6)),
  );
}

function steer(line: string): void {
  const [word, argument] = line.trim().split(/\s+/);
  if (word === 'on' || word === 'off') turn(word, argument === undefined ? nowNs() : BigInt(argument));
  else if (word === 'drop') toDrop = Number(argument ?? 1);
  else if (word === 'corrupt') toCorrupt = Number(argument ?? 1);
  else if (word === 'refuse') meter.refuse?.(Number(argument));
  else if (word === 'silence' || word === 'resume') silent = word === 'silence';
  else if (word === 'noise') send('\xff\x00#d,-,18,12\x81,1\r\n;#;;;d,#x,-,1,_;\r\n');
  else if (word === 'unplug') socat.kill('SIGKILL');
  else if (word && !meter.steer?.(word, argument ?? '')) write({ kind: 'unknown', line });
}

function turn(word: 'on' | 'off', tNs: bigint): void {
  load.switch({ tNs, on: word === 'on' });
  // The record of that second is out already, and says something else than the truth.
  if (tNs < (meter.toldUntilNs ?? sentUntilNs)) write({ kind: 'late', t_ns: tNs });
  write({ kind: word, t_ns: tNs });
  if (word === 'off' && onNs !== null)
    write({ kind: 'window', start_ns: onNs, end_ns: tNs, energy_j: load.energyJ(onNs, tNs) });
  onNs = word === 'on' ? tNs : null;
}

// Opened for both directions, so that it is never at its end and no writer waits for a reader.
if (!existsSync(control)) spawnSync('mkfifo', ['-m', '666', control]);
const commands = new Socket({
  fd: openSync(control, constants.O_RDWR | constants.O_NONBLOCK),
  readable: true,
  writable: false,
});
createInterface({ input: commands }).on('line', steer);

function end(code: number, why: string): void {
  write({ kind: 'end', why });
  socat?.kill();
  rmSync(link as string, { force: true });
  rmSync(control as string, { force: true });
  process.exit(code);
}
process.on('SIGTERM', () => end(0, 'SIGTERM'));
process.on('SIGINT', () => end(0, 'SIGINT'));
const parent = process.ppid;
setInterval(() => process.ppid === parent || end(0, 'the parent died'), 250);

let chatter = 0;
if (options.play === 'chatter') setInterval(() => send(`$GPGGA,${chatter++},4807.038,N\x1b[31m\r\n`), 100);

const waiting = setInterval(() => {
  if (!existsSync(link)) return;
  clearInterval(waiting);
  process.stdout.write('ready\n');
}, 10);
