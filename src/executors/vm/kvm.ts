import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getErrorCode, withoutFullStop } from '../../errors.ts';
import { Helper } from '../../processes/helper.ts';
import { SMALL_LIMITS } from '../../processes/helper-limits.ts';
import { plain } from '../../text/plain.ts';
import { QEMU } from './qemu-program.ts';
import type { Accel } from './variant.ts';

export const KVM = '/dev/kvm';

/** Whether guests can be booted with KVM here. */
export type KvmState =
  | { readonly kvm: 'works' }
  | { readonly kvm: 'absent' }
  /** The user may not open /dev/kvm. */
  | { readonly kvm: 'forbidden' }
  /** `why`: a phrase without a full stop. */
  | { readonly kvm: 'broken'; readonly why: string };

const WITHIN_MS = 15_000;
const MAX_SAID = 4000;

/**
 * A firmware that does what every kernel does first, and tells that it got there: real mode, a page of 2 MiB, long mode, a word to the device that has
 * QEMU end with it. Machine code, of: copy to 0x8000 and go there; PML4, PDPT and PD at 0x1000; LGDT; CR4.PAE; CR3; EFER.LME; CR0.PE and PG; far jump to
 * `mov $0x31, %al; out %al, $0xf4; hlt`.
 */
const CODE = Buffer.from(
  'fafc31c08ed88ec031f6bf0080b98a002e8a04aa46e2f9ea1c80000031c0bf0010b90018f3abc70600100320c70600200330c70600308300660f01167d80' +
    '0f20e00c200f22e066b8001000000f22d866b9800000c00f3280cc010f300f20c0660d010000800f22c0ea838008000000000000000000000000' +
    '00009a20000f006d800000b031e6f4f4ebfd',
  'hex',
);
const FIRMWARE_BYTES = 64 * 1024;
/** Address at which a processor begins; a jump to the code is there. */
const RESET_AT = 0xfff0;
const JUMP = Buffer.from('e90d00', 'hex');
/** Exit code that QEMU's device isa-debug-exit makes of 0x31: twice that, and one. */
const ARRIVED = 0x63;

/** State of KVM by its device file, which does not prove that it works. */
export function kvmAsSeen(): Exclude<KvmState, { kvm: 'broken' }> {
  try {
    accessSync(KVM, constants.R_OK | constants.W_OK);
    return { kvm: 'works' };
  } catch (cause) {
    return { kvm: getErrorCode(cause) === 'ENOENT' ? 'absent' : 'forbidden' };
  }
}

/**
 * Boots something small, with a deadline: a /dev/kvm that can be opened proves nothing, and in some clouds it makes machines in which no kernel ever
 * starts. Takes a fifth of a second where it works. Nothing is left.
 */
export async function proveKvm(): Promise<KvmState> {
  const seen = kvmAsSeen();
  if (seen.kvm !== 'works') return seen;
  const why = await bootSomethingSmall('kvm', 'host');
  return why === null ? seen : { kvm: 'broken', why };
}

/** Boots a small firmware. Null: it came up; else a phrase that says why it did not. */
export async function bootSomethingSmall(accel: Accel, cpuModel: string, withinMs = WITHIN_MS): Promise<string | null> {
  const firmware = Buffer.alloc(FIRMWARE_BYTES);
  CODE.copy(firmware);
  JUMP.copy(firmware, RESET_AT);
  const file = namelessFile(firmware);
  const words = [
    ...['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none', '-nic', 'none', '-name', 'joulediff'],
    ...['-machine', 'q35', '-accel', accel, '-cpu', cpuModel, '-m', '16M'],
    ...['-bios', '/proc/self/fd/3', '-device', 'isa-debug-exit,iobase=0xf4,iosize=1'],
  ];
  const helper = new Helper(QEMU, SMALL_LIMITS);
  let said = '';
  let isLate = false;
  const child = helper.born(
    () =>
      spawn(QEMU, words, {
        stdio: ['ignore', 'ignore', 'pipe', file],
        detached: true,
        env: helper.marked(process.env),
      }),
    (late) => late.kill('SIGKILL'),
  );
  child.stderr?.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-MAX_SAID);
  });
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, withinMs);
  try {
    const [code, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (code === ARRIVED) return null;
    if (isLate) return `a guest that needs a fifth of a second did not come up within ${withinMs / 1000} s`;
    const last = withoutFullStop(plain(said.trim().split('\n').at(-1) ?? '', 300));
    const how = by === null ? `ended with exit code ${code}` : `broke down (${by})`;
    return `${QEMU} ${how} at once${last === '' ? '' : `: ${last}`}`;
  } catch (cause) {
    return `${QEMU} ${getErrorCode(cause) === 'ENOENT' ? 'was not found' : 'can’t be run'}`;
  } finally {
    clearTimeout(timer);
    closeSync(file);
    await helper.end();
  }
}

/** Descriptor of a file without a name; the kernel removes the file when its last descriptor is closed. */
function namelessFile(data: Buffer): number {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-'));
  try {
    const path = join(folder, 'firmware');
    writeFileSync(path, data, { mode: 0o600 });
    return openSync(path, 'r');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
