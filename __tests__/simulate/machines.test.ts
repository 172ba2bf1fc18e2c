// Class: unit.
import { expect, it } from '@jest/globals';
import { coverage } from './machines.ts';
import { createRandom } from './random.ts';

it.each([3, 5, 20])('holds the mean of all machines in 95 % of studies of %i', (machines) => {
  for (const tau of [0, 0.6, 2]) {
    const { interval, prediction } = coverage(machines, tau, 1000, createRandom(machines));
    expect({ tau, enough: interval >= 0.93 }).toEqual({ tau, enough: true });
    // As documented: it is short where the machines differ about as much as their errors.
    expect({ tau, enough: prediction >= 0.82 }).toEqual({ tau, enough: true });
  }
});
