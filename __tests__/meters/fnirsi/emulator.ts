import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmulatedMeter, EmulatorSettings } from '../../../src/meters/emulator/emulator.ts';
import { COMMANDS, computeCrc, REPORT_BYTES, REPORT_NS } from '../../../src/meters/fnirsi/reports.ts';

/** A data report of four samples, volts and amperes. */
export function dataReport(samples: readonly (readonly [volts: number, amperes: number])[]): Uint8Array {
  const report = Buffer.alloc(REPORT_BYTES);
  report.set([0xaa, 0x04]);
  for (const [index, [volts, amperes]] of samples.entries()) {
    const offset = 2 + 15 * index;
    report.writeInt32LE(Math.round(volts * 1e5), offset);
    report.writeInt32LE(Math.round(amperes * 1e5), offset + 4);
    // Data lines in millivolts, a 1 that is always there, and tenths of a degree.
    report.set([0xe8, 0x03, 0xe8, 0x03, 1, 0x2c, 0x01], offset + 8);
  }
  report[REPORT_BYTES - 1] = computeCrc(report);
  return report;
}

export const steady = (volts: number, amperes: number) =>
  dataReport(Array.from({ length: 4 }, () => [volts, amperes] as const));

/** What becomes of a report on its way; null: it is lost. */
type WireFault = (report: Uint8Array) => Uint8Array | null;

/** A meter of FNIRSI's in a cable of 20 V, which gives way by a twentieth of an ohm. */
export class FnirsiEmulator implements EmulatedMeter {
  /** Second byte of everything that was received. */
  readonly received: number[] = [];
  /** For the reports to come, in their order. */
  readonly faults: WireFault[] = [];
  readonly #settings: EmulatorSettings;
  readonly #patienceNs: bigint;
  readonly #periodNs: bigint;
  #untilNs = 0n;
  #nextNs: bigint | null = null;

  /** `patienceNs`: how long it goes on after it was asked to; older models stop after the next report. `periodNs`: by a clock of its own. */
  constructor(settings: EmulatorSettings, patienceNs = 1_500_000_000n, periodNs = REPORT_NS) {
    this.#settings = settings;
    this.#patienceNs = patienceNs;
    this.#periodNs = periodNs;
  }

  receive(bytes: Uint8Array, nowNs: bigint): Uint8Array {
    // Over hidraw every report has a byte before it, the number that it doesn't have.
    const first = bytes[0] === 0 ? 1 : 0;
    const answers: Uint8Array[] = [];
    for (let offset = first; offset < bytes.length; offset += REPORT_BYTES + first) {
      const [header, code = 0] = bytes.subarray(offset, offset + 2);
      if (header !== 0xaa) throw new Error('it was sent no command of its own');
      this.received.push(code);
      if (code === COMMANDS.hello[1]) answers.push(info());
      else this.#goOn(nowNs);
    }
    return Buffer.concat(answers);
  }

  #goOn(nowNs: bigint): void {
    const { originNs } = this.#settings;
    // What is due goes on, however late this process is; a stream that has ended begins anew.
    if (this.dueNs() === null) {
      this.#nextNs = originNs + ((nowNs - originNs) / this.#periodNs + 1n) * this.#periodNs;
    }
    this.#untilNs = nowNs + this.#patienceNs;
  }

  dueNs(): bigint | null {
    if (this.#nextNs === null || this.#nextNs > this.#untilNs) return null;
    return this.#nextNs + 2_000_000n;
  }

  record(): Uint8Array {
    const endNs = this.#nextNs ?? 0n;
    this.#nextNs = endNs + this.#periodNs;
    const stepNs = this.#periodNs / 4n;
    const samples = [4n, 3n, 2n, 1n].map((back) => {
      const fromNs = endNs - back * stepNs;
      const watts = this.#settings.energyJ(fromNs, fromNs + stepNs) / (Number(stepNs) / 1e9);
      // Of 20 V − 0.05 Ω × I, the current that gives these watts.
      const amperes = (20 - Math.sqrt(400 - 0.2 * watts)) / 0.1;
      return [20 - 0.05 * amperes, amperes] as const;
    });
    return (this.faults.shift() ?? ((report) => report))(dataReport(samples)) ?? new Uint8Array();
  }
}

/** What it answers to the first command; nothing of it is used. */
function info(): Uint8Array {
  const report = Buffer.alloc(REPORT_BYTES);
  report.set([0xaa, 0x03, 0x01]);
  report[REPORT_BYTES - 1] = computeCrc(report);
  return report;
}

interface Hid {
  /** `2E3C:5558` */
  readonly id: string;
  readonly name?: string;
  readonly serial?: string;
}

/** Writes HID devices into this folder as the kernel shows them in /sys/class/hidraw, and gives the folder. */
export function hidrawTree(root: string, devices: Readonly<Record<string, Hid>>): string {
  for (const [entry, { id, name = 'FNIRSI FNB58', serial = '0001A0000000' }] of Object.entries(devices)) {
    mkdirSync(join(root, entry, 'device'), { recursive: true });
    const lines = [
      'DRIVER=hid-generic',
      `HID_ID=0003:0000${id.replace(':', ':0000')}`,
      `HID_NAME=${name}`,
      'HID_PHYS=usb-0000:00:14.0-2/input3',
      ...(serial === '' ? [] : [`HID_UNIQ=${serial}`]),
    ];
    writeFileSync(join(root, entry, 'device/uevent'), `${lines.join('\n')}\n`);
  }
  return root;
}
