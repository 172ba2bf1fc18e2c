/** Length of every HID report, bytes. */
export const REPORT_BYTES = 64;
/** From one data report to the next, nanoseconds: four samples of 10 ms. */
export const REPORT_NS = 40_000_000n;

const HEADER = 0xaa;
const DATA = 0x04;
const SAMPLES = 4;
const SAMPLE_BYTES = 15;
/** Upper bounds on volts and amperes: these meters are made for 28 V and 7 A. */
const MAX_V = 60;
const MAX_A = 15;

/** CRC-8 with polynomial 0x39 and initial value 0x42 of everything between the first byte and the last one. */
export function computeCrc(report: Uint8Array): number {
  let crc = 0x42;
  for (const byte of report.subarray(1, REPORT_BYTES - 1)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x80 ? 0x39 : 0)) & 0xff;
  }
  return crc;
}

function commandOf(code: number): Uint8Array {
  const report = new Uint8Array(REPORT_BYTES);
  report.set([HEADER, code]);
  report[REPORT_BYTES - 1] = computeCrc(report);
  return report;
}

/** All commands that are ever sent: they start the stream of data reports and keep it going. None changes a setting. */
export const COMMANDS = { hello: commandOf(0x81), start: commandOf(0x82), poll: commandOf(0x83) };

/** Parsed report. `fault`: a clause on what is wrong with it. */
export type Report = { readonly powerW: number } | { readonly fault: string } | 'no data';

/**
 * The mean power of a data report, as FNIRSI's meters send it (found out by others: baryluk/fnirsi-usb-power-data-logger). A sample has volts
 * and amperes in units of 1e-5, then the data lines and the temperature, which are not used.
 */
export function readReport(report: Uint8Array): Report {
  if (report.length !== REPORT_BYTES) return { fault: `has ${report.length} bytes instead of ${REPORT_BYTES}` };
  if (report[0] !== HEADER) return { fault: 'does not begin as one of this meter' };
  if (report[1] !== DATA) return 'no data';
  if (report[REPORT_BYTES - 1] !== computeCrc(report)) return { fault: 'has a wrong checksum' };
  const view = new DataView(report.buffer, report.byteOffset);
  let sumW = 0;
  for (let offset = 2; offset < 2 + SAMPLES * SAMPLE_BYTES; offset += SAMPLE_BYTES) {
    const [volts, amperes] = [view.getInt32(offset, true) / 1e5, view.getInt32(offset + 4, true) / 1e5];
    if (amperes < 0) return { fault: `says that ${-amperes} A flow back: its input belongs to the power supply` };
    if (volts < 0 || volts > MAX_V || amperes > MAX_A) return { fault: `says ${volts} V and ${amperes} A` };
    sumW += volts * amperes;
  }
  return { powerW: sumW / SAMPLES };
}
