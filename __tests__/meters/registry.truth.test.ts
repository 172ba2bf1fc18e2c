// Class: world, computes.
import { afterAll, it } from '@jest/globals';
import { meterTypes } from '../../src/meters/registry.ts';
import { measuresTheTruth } from './network/driver.ts';
import { removeRigs, rigs } from './rigs.ts';

// Every meter as it is delivered, beside a machine whose energy is known: 200 runs of 20 s, with the rests that an experiment has by itself.

afterAll(removeRigs);

/** How far one run may be off, in shares of its energy, by the meter's steps, its rate and what it shows late. */
const ALLOWED: Readonly<Record<string, number>> = {
  'watts-up-pro': 0.004,
  mcp39f511n: 0.002,
  mcp39f511: 0.002,
  'pzem-004t': 0.004,
  sdm120: 0.004,
  scpi: 0.003,
  shelly: 0.004,
  tasmota: 0.005,
  kasa: 0.004,
  tapo: 0.004,
  fnirsi: 0.003,
  hwmon: 0.003,
  nvidia: 0.003,
  'amd-gpu': 0.005,
  battery: 0.02,
  pmic: 0.01,
  redfish: 0.006,
  ipmi: 0.003,
  'http-json': 0.004,
  file: 0.004,
  command: 0.004,
  perf: 0.002,
  rapl: 0.0002,
  estimate: 0.001,
};

/** They are refused for shorter runs. */
const FOR_LONG_RUNS = ['redfish', 'ipmi'];
/** The model knows of nothing but the processors. */
const STEADY = ['estimate'];

/** It gets the time that others leave. */
const WAITS_MS = 900_000;

it.each(meterTypes.map(({ type }) => type))(
  '%s measures the true energy of 200 runs, and as exactly as it says',
  async (type) => {
    const { world, name } = rigs[type]!({ noiseW: STEADY.includes(type) ? 0 : 0.4 });
    await measuresTheTruth(world, name, ALLOWED[type]!, {
      seconds: FOR_LONG_RUNS.includes(type) ? 600 : 20,
      restS: 20,
    });
  },
  WAITS_MS,
);
