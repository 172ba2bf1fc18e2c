import { spawnSync } from 'node:child_process';
import { observedGroup } from '../../../../../src/executors/leftovers/observed-groups.ts';
import { perfStat } from '../../../../../src/parts/explain/observers/perf-stat/perf-stat.ts';
import { nowNs } from '../../../../../src/system/clock.ts';

// Started where nobody has mounted the kernel's folder of tracepoints: prints how many calls of write() perf-stat saw of so many. Arguments: a folder, the number.
const [folder = '', calls = ''] = process.argv.slice(2);
using made = observedGroup();
const group = made.group!;
await perfStat.probe(folder, group);
const observation = await perfStat.start({ group, folder, filesOf: null, signal: new AbortController().signal });
const startNs = nowNs();
const work = `echo $$ > ${group.host.folder}/cgroup.procs; exec dd if=/dev/zero of=/dev/null bs=1 status=none count=${calls}`;
spawnSync('sh', ['-c', work]);
const { counts } = await observation.end({ startNs, endNs: nowNs() });
console.log(counts.filter(({ name }) => name === 'write').reduce((sum, { value }) => sum + value, 0));
