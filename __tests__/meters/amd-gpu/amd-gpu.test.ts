// Class: system.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { amdGpu } from '../../../src/meters/amd-gpu/amd-gpu.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { rejection } from '../collect.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'joulediff-amd-gpu-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A chip as the kernel's driver shows it. */
function chip(number: number, device: string, files: Readonly<Record<string, string | number>>): void {
  const [folder, target] = [join(root, `hwmon${number}`), join(root, 'devices', device)];
  mkdirSync(folder, { recursive: true });
  mkdirSync(target, { recursive: true });
  symlinkSync(target, join(folder, 'device'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), `${content}\n`);
}
const gpu = (number: number, device: string) =>
  chip(number, device, { name: 'amdgpu', power1_average: 40_000_000, power1_label: 'PPT', power1_cap: 203_000_000 });
const name = (text: string, options = '') => `${text}?root=${encodeURIComponent(root)}${options}`;

describe('amd-gpu', () => {
  it('tells what it is', async () => {
    chip(0, 'coretemp.0', { name: 'coretemp', temp1_input: 40_000 });
    gpu(3, '0000:03:00.0');
    const [meter] = (await openMeters([name('amd-gpu')])).meters;
    await meter!.stop();
    expect(meter!.info).toMatchObject({
      type: 'amd-gpu',
      address: null,
      source: 'emulated',
      identity: { device: '0000:03:00.0', label: 'PPT' },
      channels: [{ channel: 'gpu', integration: 'guard', samplingPeriodS: 0.1 }],
      minimumGuardS: 2,
    });
    expect(meter!.info.channels[0]).not.toHaveProperty('part');
  });

  it('takes the one that is named, and refuses to choose among several', async () => {
    const none = await rejection(openMeters([name('amd-gpu')]));
    expect(none).toMatchObject({
      name: 'MeasureError',
      message: 'This machine has no AMD GPU that reports its power.',
    });
    gpu(3, '0000:03:00.0');
    gpu(4, '0000:0c:00.0');
    const two = await rejection(openMeters([name('amd-gpu')]));
    expect([two.name, two.message, two.advice]).toEqual([
      'InputError',
      'This machine has 2 AMD GPUs.',
      'Say which: there are amd-gpu:0000:03:00.0 and amd-gpu:0000:0c:00.0.',
    ]);
    const [meter] = (await openMeters([name('amd-gpu:0000:0c:00.0')])).meters;
    await meter!.stop();
    expect(meter!.info.identity.device).toBe('0000:0c:00.0');
    expect(amdGpu.found?.(root)).toEqual(['amd-gpu:0000:03:00.0', 'amd-gpu:0000:0c:00.0']);
    const other = await rejection(openMeters([name('amd-gpu:0000:99:00.0')]));
    expect(other.message).toBe('This machine has no AMD GPU 0000:99:00.0 that reports its power.');
  });
});
