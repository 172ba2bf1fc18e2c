// Class: world, long.
import { describe, expect, it } from '@jest/globals';
import { qemuWords } from '../../../src/executors/vm/qemu.ts';
import { QEMU } from '../../../src/executors/vm/qemu-program.ts';
import type { VmVariant } from '../../../src/executors/vm/variant.ts';
import { parse, refusal } from '../../experiment/support.ts';

const RIGHT = `workload: { run: ./bench.sh }
variants:
  native: {}
  guest: { vm: { image: disk.qcow2, cpus: 2, memory: 1g } }
`;

describe('vm', () => {
  it('is a guest with KVM and the processor of the host where nothing else is said', () => {
    expect(parse(RIGHT).variants[1]).toMatchObject({
      kind: 'vm',
      accel: 'kvm',
      cpuModel: 'host',
      cpus: 2,
      memoryBytes: 2 ** 30,
      withinS: 120,
      append: '',
      image: expect.stringMatching(/^\/.*\/disk\.qcow2$/),
      kernel: null,
      initrd: null,
    });
    expect(parse(RIGHT.replace('cpus', 'accel: tcg, cpus')).variants[1]).toMatchObject({
      accel: 'tcg',
      cpuModel: 'max',
    });
  });

  it.each([
    ['image: disk.qcow2, ', '', 'a guest boots from an image, or from a kernel with an initrd'],
    ['image: disk.qcow2', 'kernel: vmlinuz', 'a guest boots from an image, or from a kernel with an initrd'],
    ['cpus: 2', 'cpus: 2, initrd: i', 'initrd is for a kernel that is booted directly'],
    ['cpus: 2', 'cpus: 2, append: quiet', 'append is for a kernel that is booted directly'],
    ['cpus: 2', 'cpus: 2, network: user', 'network'],
    ['cpus: 2', 'cpus: 2, accel: xen', 'it must be "kvm" or "tcg"'],
    ['cpus: 2', 'cpus: 2, cpu-model: "host -enable-kvm"', 'a processor model of QEMU'],
    ['cpus: 2', 'cpus: 2, append: "a\\nb", kernel: k', 'one line of kernel parameters'],
    ['memory: 1g', 'memory: 1m', 'a size of at least 16m'],
    ['guest: {', 'guest: { ports: ["80:80"],', 'ports is for containers'],
    ['guest: {', 'guest: { user: nobody,', 'user is for the host'],
    ['guest: {', 'guest: { image: debian,', 'a variant runs in one place'],
    ['workload:', 'phases: auto\nworkload:', "phases can't be had for all variants"],
    ['workload:', 'explain: always\nworkload:', "explain can't be had for all variants"],
    ['workload:', 'output: file\nworkload:', "output can't be had for all variants"],
    ['workload:', 'cpus: { workload: 1 }\nworkload:', 'it can\'t be held for "guest"'],
    [
      'workload:',
      'hooks: { before-block: { run: ./x, place: variant } }\nworkload:',
      'no hook can run in the place of "guest"',
    ],
    ['run: ./bench.sh', 'run: ./bench.sh, place: host', 'nothing would run in "guest"'],
  ])('refuses what a guest can’t be or have: %s becomes %s', (from, to, sentence) => {
    expect(refusal(() => parse(RIGHT.replace(from, to)))).toContain(sentence);
  });
});

describe(QEMU, () => {
  const variant = { ...(parse(RIGHT).variants[1] as VmVariant), image: null, kernel: '/k', initrd: '/i' };

  it('gets nothing that was not asked for, and no name of a file for an option', () => {
    const words = qemuWords({ variant, drive: '/tmp/a,snapshot=off,b', ports: [] });
    expect(words).toEqual(expect.arrayContaining(['-nodefaults', '-no-user-config', '-no-reboot']));
    expect(words.join(' ')).toMatch(/-nic none .*-accel kvm -cpu host -smp 2 -m 1024M /);
    expect(words).toContain('if=none,id=files,readonly=on,format=raw,file=/tmp/a,,snapshot=off,,b');
  });

  it('ends with a kernel that panics, and lets the words of the user come last', () => {
    const words = qemuWords({ variant: { ...variant, append: 'panic=5' }, drive: '/d', ports: [] });
    expect(words[words.indexOf('-append') + 1]).toMatch(/panic=-1 .* panic=5$/);
  });
});
