// Class: world, long.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../src/analysis/results.ts';
import { foresee } from '../../src/measure/foresee.ts';
import { commentMarkdown } from '../../src/report/comment.ts';
import { summaryMarkdown } from '../../src/report/summary.ts';
import { terminalReport } from '../../src/report/terminal.ts';
import { runExperiment } from '../../src/run/run.ts';
import { withStore } from '../../src/store/reader.ts';
import { logPath } from '../../src/system/result-files.ts';
import { native } from '../executors/bench.ts';
import { GUEST, guestSystem, vm } from '../executors/vm/guest-system.ts';
import { goodRuns, listening, shortExperiment } from './short-experiment.ts';

const { signal: never } = new AbortController();
const EMULATED = /QEMU emulated the processors of .*guest.* \(TCG\)/;

(GUEST === '' ? describe.skip : describe)('a virtual machine beside the host (needs QEMU and Debian’s kernel)', () => {
  let folder: string;
  let lockBefore: string | undefined;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'joulediff-measure-vm-'));
    lockBefore = process.env.JOULEDIFF_LOCK;
    process.env.JOULEDIFF_LOCK = `joulediff.vm.${randomUUID()}`;
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    if (lockBefore === undefined) delete process.env.JOULEDIFF_LOCK;
    else process.env.JOULEDIFF_LOCK = lockBefore;
  });

  it('is measured in blocks with it, and where its processors are emulated, everything says so', async () => {
    const system = guestSystem(folder);
    writeFileSync(join(folder, 'work.sh'), 'sleep 0.5; echo "it did: $(uname -r)"\n');
    const run = ['sh', 'work.sh'];
    const experiment = shortExperiment(folder, [native({ run }), vm(system, { run })], { restS: 1, guardS: 1 });
    expect(
      (await foresee(experiment, join(folder, 'out'))).find(({ what }) => what === 'variant guest')?.found,
    ).toEqual({
      state: 'warn',
      text: expect.stringMatching(
        /^QEMU \S+ emulates the processors of its guest \(accel: tcg\), so its numbers will say nothing about virtual machines$/,
      ),
    });
    const outDir = join(folder, 'out');
    const { reported, progress } = listening();
    const { analysis, error } = await runExperiment({ experiment, outDir, resume: false, signal: never, progress });
    expect(error).toBeNull();
    const { findings, runs } = analysis as Analysis;
    expect(goodRuns(outDir)).toEqual([1, 2, 3, 4]);
    expect(reported.join('\n')).toContain('The processors of variant "guest" are emulated (accel: tcg)');

    withStore(join(outDir, 'experiment.db'), (reader) => {
      const clocks = reader.clocks();
      const guest = reader.variants().find(({ name }) => name === 'guest');
      expect(guest).toMatchObject({
        facts: {
          vm_accel: 'tcg',
          vm_cpu_model: 'max',
          vm_cpus: 1,
          vm_guest_cpus: 1,
          vm_memory_bytes: 192 * 2 ** 20,
          vm_guest_kernel: expect.stringMatching(/^\d+\.\d+\./),
          vm_initrd: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        },
        surroundings: expect.anything(),
      });
      expect(guest?.facts.vm_guest_memory_bytes).toBeLessThan(192 * 2 ** 20);
      for (const { run: id, variant, startNs, endNs } of reader.runs()) {
        expect(clocks.has(id)).toBe(variant === 'guest');
        expect(Number(endNs - startNs) + 1e9 * (clocks.get(id)?.lengthS ?? 0)).toBeGreaterThan(0.5e9);
        const log = readFileSync(logPath(outDir, id, variant), 'utf8');
        const kernel =
          variant === 'guest'
            ? guest?.facts.vm_guest_kernel
            : readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim();
        expect(log).toBe(`it did: ${kernel}\n`);
      }
    });
    expect(findings.quality.checks.find(({ name }) => name === 'emulation')).toEqual({
      name: 'emulation',
      state: 'fail',
      reason: 'tcg',
      facts: { variants: ['guest'] },
    });
    expect(commentMarkdown(findings)).toMatch(/processors were emulated/);
    expect(summaryMarkdown(findings, runs)).toMatch(EMULATED);
    expect(terminalReport({ findings }, { width: 80, color: false }).replace(/\s+/g, ' ')).toMatch(
      /processors were emulated/,
    );
    expect(readFileSync(join(outDir, 'report.html'), 'utf8')).toContain('processors were emulated');
  });
});
