// Started by a test as a process of its own: makes a checkout, says where, and waits to be killed.

import { readExperiment } from '../../../src/experiment/read.ts';
import { findRevisions, makeCheckouts } from '../../../src/measure/checkout/checkouts.ts';

const { signal } = new AbortController();
const experiment = await findRevisions(await readExperiment(process.argv[2] ?? ''), signal);
const checkouts = await makeCheckouts({ experiment, experimentId: 'killed', signal, log() {} });
console.log(checkouts.locate(experiment.variants[0]!).directory);
setInterval(() => {}, 1000);
