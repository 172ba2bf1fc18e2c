// Started by the reaper's test as a process of its own: makes what an experiment makes, says so, and waits to be killed.

import { makeExecutor } from '../../../src/executors/registry.ts';
import { labelsOf } from '../../../src/processes/labels.ts';
import { container, docker, native } from '../bench.ts';

const [experimentId = '', image = '', folder = ''] = process.argv.slice(2);
const environment = {
  experimentId,
  directory: folder,
  inheritedEnv: { PATH: process.env.PATH ?? '' },
  passedEnv: {},
  log: (line: string) => console.error(line),
};
const context = { experimentId, runId: 1, logFile: `${folder}/run.log`, signal: new AbortController().signal };
await docker.createNetwork({ Name: experimentId, Labels: labelsOf(experimentId, null) });
const inside = await makeExecutor(
  container(image, { run: 'sleep 300' }, { volumes: [`${experimentId}:/data`] }),
  environment,
);
await inside.setup(context.signal);
const run = await inside.prepare(context);
run.execute({ onEdge() {} });
const outside = await makeExecutor(native({ prepare: 'setsid sleep 300 & echo $! > daemon' }), environment);
await outside.setup(context.signal);
await outside.prepare(context);
// A server that writes its title over its environment shows no marks there; neither does this one.
const service = await outside.makeService(
  {
    name: 'server',
    run: 'echo $$ > server; exec env -i sleep 300',
    env: {},
    workdir: null,
    stop: { signal: 'SIGTERM', withinS: 1 },
  },
  { ...context, joins: null },
);
await service.start();
while (!(await docker.listContainers({ filters: { label: [`joulediff.experiment=${experimentId}`] } })).length);
console.log('ready');
setInterval(() => {}, 1000);
