/**
 * Energy counters of an emulated processor, in a powercap tree, with a known true power:
 *
 *   node __tests__/emulators/powercap.ts FOLDER [IDLE_W [LOAD_W]]
 *
 * Makes FOLDER/tree, FOLDER/control (a FIFO) and FOLDER/truth.jsonl, and prints `ready`. Lines into the FIFO:
 *   on, off          the machine takes LOAD_W from here, or IDLE_W again
 *   vanish, return   the tree goes away, as a driver that is unloaded does; and comes back
 * The counter is renewed every two milliseconds (hardware: about one). Where this process came too late for that, the log has a `stall`: at its
 * end the counter was old by so much. Ends on SIGTERM, and with its parent.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, constants, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants as os, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { STALL_NS } from './powercap-truth.ts';

const [folder = '', idleW = '20', loadW = '60'] = process.argv.slice(2);
const [tree, away] = [join(folder, 'tree'), join(folder, 'tree.away')];
const ZONE = 'intel-rapl:0';
const RANGE_UJ = 262_143_328_850n;

// The hardware is punctual however busy the machine is.
try {
  setPriority(os.priority.PRIORITY_HIGHEST);
} catch {
  // Only root may.
}

const write = (entry: object) => appendFileSync(join(folder, 'truth.jsonl'), `${JSON.stringify(entry)}\n`);

let powerW = Number(idleW);
let lastNs = process.hrtime.bigint();
/** The moment of the value that can be read. */
let shownNs = lastNs;
// One that wraps soon, so that wraps are met too.
let energyUj = Number(RANGE_UJ) - 50e6;
let root = tree;

function advance(): bigint {
  const nowNs = process.hrtime.bigint();
  energyUj += (Number(nowNs - lastNs) / 1e3) * powerW;
  lastNs = nowNs;
  return nowNs;
}

/** In one piece: a reader sees the value of before or of now. */
function show(): void {
  const path = join(root, ZONE, 'energy_uj');
  writeFileSync(`${path}.new`, `${BigInt(Math.floor(energyUj)) % RANGE_UJ}\n`);
  renameSync(`${path}.new`, path);
  const nowNs = process.hrtime.bigint();
  // Until now a reader saw the value of before.
  if (nowNs - shownNs > STALL_NS) write({ kind: 'stall', from_ns: String(shownNs), to_ns: String(nowNs) });
  shownNs = lastNs;
}

function make(path: string, text: string): void {
  mkdirSync(join(tree, path, '..'), { recursive: true });
  writeFileSync(join(tree, path), `${text}\n`);
}
make(`${ZONE}/name`, 'package-0');
make(`${ZONE}/max_energy_range_uj`, String(RANGE_UJ));
make('cpu/cpu0/topology/physical_package_id', '0');
write({ kind: 'load', idleW: Number(idleW), loadW: Number(loadW), noiseW: 0, seed: 0, originNs: String(lastNs) });
show();

function steer(line: string): void {
  const nowNs = advance();
  if (line === 'on' || line === 'off') {
    powerW = Number(line === 'on' ? loadW : idleW);
    write({ kind: line, t_ns: String(nowNs) });
  } else if (line === 'vanish' || line === 'return') {
    const to = line === 'vanish' ? away : tree;
    if (root !== to) renameSync(root, to);
    root = to;
    write({ kind: line, t_ns: String(nowNs) });
  }
}

// Opened for both directions, so that it is never at its end and no writer waits for a reader.
const control = join(folder, 'control');
spawnSync('mkfifo', ['-m', '666', control]);
const commands = new Socket({ fd: openSync(control, constants.O_RDWR | constants.O_NONBLOCK), writable: false });
createInterface({ input: commands }).on('line', (line) => steer(line.trim()));

const parent = process.ppid;
setInterval(() => {
  advance();
  show();
  if (process.ppid !== parent) process.exit();
}, 2);
process.on('SIGTERM', () => process.exit());
process.stdout.write('ready\n');
