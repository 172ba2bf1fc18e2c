// Started by the reaper's test as a process of its own: makes what an experiment makes, says so, and waits to be killed.

import { labelsOf } from '../../../src/executors/container/labels.ts';
import { makeExecutor } from '../../../src/executors/registry.ts';
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
while (!(await docker.listContainers({ filters: { label: [`joulediff.experiment=${experimentId}`] } })).length);
console.log('ready');
setInterval(() => {}, 1000);
