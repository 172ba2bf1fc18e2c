// Started by the test of tuning as a process of its own: sets everything, puts it back, and is killed at one of the writes between.
import { MachineFiles } from '../../src/machine/files.ts';
import { Targets } from '../../src/tuning/targets.ts';
import { tune } from '../../src/tuning/tuning.ts';
import { REQUEST } from './request.ts';

const [root = '', at = ''] = process.argv.slice(2);
let writes = 0;

class KilledTargets extends Targets {
  override set(target: string, value: string): void {
    if (writes++ === Number(at)) process.kill(process.pid, 'SIGKILL');
    super.set(target, value);
  }
}

const listener = { note: console.log, warn: console.log };
const tuning = tune({ ...REQUEST, targets: new KilledTargets(new MachineFiles(root)) }, 'killed', listener);
tuning[Symbol.dispose]();
