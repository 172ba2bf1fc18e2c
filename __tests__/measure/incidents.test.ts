// Class: system.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { IncidentWatch } from '../../src/measure/incidents.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'joulediff-incidents-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

it('are throttled processors and warnings of the kernel since the run began, and nothing from before', () => {
  const counter = (cpu: number, name: string) =>
    `sys/devices/system/cpu/cpu${cpu}/thermal_throttle/${name}_throttle_count`;
  for (const cpu of [0, 1]) for (const name of ['core', 'package']) put(counter(cpu, name), '41\n');
  put('sys/devices/system/cpu/cpufreq/thermal_throttle/core_throttle_count', '5\n');
  put('dev/kmsg', '3,1,1,-;an error of before\n');
  const log = (text: string) => appendFileSync(join(root, 'dev/kmsg'), text);
  using watch = new IncidentWatch(root);
  log('3,2,1,-;an error between two runs\n');
  watch.begin();
  put(counter(1, 'core'), '44\n');
  log('6,3,1,-;docker0: port 1 entered blocking state\n SUBSYSTEM=net\n4,4,1,-;a warning\n');
  log('4,9,1,-;oom_control is deprecated and will be removed. Please report your usecase to linux-mm-@kvack.org\n');
  log('30,5,1,c;systemd: nothing\n6,6,1,-;CPU1: Core temperature above threshold, cpu clock throttled\n');
  expect(watch.end()).toEqual({
    throttled: 3,
    kernelMessages: ['a warning', 'CPU1: Core temperature above threshold, cpu clock throttled'],
  });
  watch.begin();
  expect(watch.end()).toEqual({ throttled: 0, kernelMessages: [] });
});

it('are unknown where nothing tells of them', () => {
  using watch = new IncidentWatch(root);
  watch.begin();
  expect(watch.end()).toEqual({ throttled: null, kernelMessages: null });
});

it('leave the log of this machine as it is, where it may be read', () => {
  using watch = new IncidentWatch();
  watch.begin();
  const { kernelMessages } = watch.end();
  expect(kernelMessages === null || Array.isArray(kernelMessages)).toBe(true);
});
