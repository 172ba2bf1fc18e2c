import type { ObserverData } from '../../../../contracts/observation.ts';
import { COUNTERS, counterOf } from '../../../../contracts/processor-counters.ts';
import { MachineFiles } from '../../../../machine/files.ts';
import { hypervisor } from '../../../../machine/identity.ts';
import type { ObserverKind } from '../observer.ts';
import { tryOut } from '../perf/control.ts';
import { countingWords, startCounting } from '../perf/counting.ts';
import { ObserverError, Tool, takeLines } from '../tool.ts';
import { wholeCounters } from './whole.ts';

/** With the group's running time, which is always counted: it shows how long a counter was missing. */
const EVENTS = ['task-clock', ...COUNTERS];
const TRIAL_MS = 20_000;

/** Hardware counters of instructions, cycles and misses, in intervals of 50 ms. */
export const perfCounters: ObserverKind = {
  name: 'perf-counters',
  async probe(_folder, group) {
    if (group === null) throw new ObserverError('no-group');
    await tryOut(() => Tool.start('perf', ['stat', ...countingWords(EVENTS, group), '--', 'true']));
    if (!(await counts())) throw new ObserverError(isGuest() ? 'no-counters-in-guest' : 'no-counters');
  },
  async start(target) {
    const counting = await startCounting(target, EVENTS, 'counters.csv');
    return {
      cancel: counting.cancel,
      async end(window): Promise<ObserverData> {
        const { counts: counted, origin } = await counting.end();
        const { counts, isShared } = wholeCounters(counted, origin, window);
        if (counts.length === 0) throw new ObserverError(isShared ? 'shared-counters' : 'unreadable');
        return { counts, samples: [] };
      },
    };
  },
};

/** Whether the processor counts a program's instructions: some listed events can't be counted, and some virtual machines have none. */
async function counts(): Promise<boolean> {
  const tool = await Tool.start('perf', ['stat', '-x', ',', '--log-fd', '1', '-e', EVENTS.join(), '--', 'true']);
  tool.child.stderr?.resume();
  let isCounted = false;
  takeLines(tool.child.stdout, (line) => {
    const [count = '', , event = ''] = line.split(',');
    const counter = counterOf(event)?.counter;
    if ((counter === 'instructions' || counter === 'cycles') && Number(count) > 0) isCounted = true;
  });
  if ((await tool.end(TRIAL_MS)) !== 0) throw new ObserverError('not-allowed');
  return isCounted;
}

function isGuest(): boolean {
  return !['none', null].includes(hypervisor(new MachineFiles()));
}
