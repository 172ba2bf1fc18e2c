import type { MeterInfo } from '../../contracts/reading.ts';
import { EMULATED_REMARK } from '../emulator/emulator.ts';
import type { MeterSheet, MeterType } from '../meter.ts';
import { powerSource, type Sampling, samplingOption, unitOption } from '../modbus/power-source.ts';
import type { MeterName } from '../name.ts';
import { checkOptionNames } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';
import { portAddress } from '../serial/ports.ts';
import { PzemEmulator } from './emulator.ts';
import { GENERAL_ADDRESS, type Identified, openIdentified, PATIENCE, probe } from './identify.ts';
import { EMULATOR_ALARM, type PzemReading, readPower } from './registers.ts';

const SHEET: MeterSheet = {
  product: 'PZEM-004T v3, PZEM-014, PZEM-016',
  price: 'under €50',
  // User manual: 0.5 %, from 0.4 W on.
  accuracy: { gainPercent: 0.5, offsetW: 0.4 },
  // Its readings have settled 2.53 to 2.66 s after a step, as others measured; a mean of 2 s that is renewed every second takes 3 s.
  minimumGuardS: 3,
  // User manual: it starts to measure at 0.4 W.
  smallestLoadW: 0.4,
  channel: {
    part: 'machine',
    integration: 'guard',
    clock: 'host',
    samplingPeriodS: 0.5,
    edgeS: 0.5 / 3,
    resolutionW: 0.1,
  },
  wiring: 'into the mains, by an electrician, in a closed box; USB adapter for serial (5 V) or RS-485',
  blind: 'which part of the machine, or which program, draws the power',
  risks: 'bare mains on the board; a mean of about 2 s',
};

/** PZEM-004T v3, PZEM-014 and PZEM-016 on a serial port: wall power, a mean of about 2 s renewed about every second, in steps of 0.1 W. */
export const pzem004t: MeterType = {
  type: 'pzem-004t',
  sheet: SHEET,
  momentary: ['voltageV', 'frequencyHz'],
  check(name) {
    parseSettings(name);
  },
  async open(name, host) {
    const { address, unit, sampling } = parseSettings(name);
    const identified = await openIdentified(host, address, unit);
    const source = powerSource(identified.modbus, identified.request, readPower, PATIENCE);
    return new PolledMeter(infoOf(address, sampling, identified), source, host.clock, sampling.readings);
  },
  async probe(port, host) {
    const reading = await probe(host, port);
    return reading && `${isEmulated(reading) ? 'an emulated' : 'a'} PZEM-004T`;
  },
  emulate: (settings) => new PzemEmulator(settings),
};

function parseSettings(name: MeterName): { address: string; unit: number; sampling: Sampling } {
  checkOptionNames(name, ['unit', 'period']);
  const sampling = samplingOption(name);
  return { unit: unitOption(name, GENERAL_ADDRESS), sampling, address: portAddress(name) };
}

const WALL = { channel: 'wall', part: 'machine', integration: 'guard', clock: 'host' } as const;

function infoOf(address: string, { periodS, readings }: Sampling, { request, reading }: Identified): MeterInfo {
  const emulated = isEmulated(reading);
  const { voltageV, frequencyHz } = reading;
  return {
    type: pzem004t.type,
    address,
    source: emulated ? 'emulated' : 'measured',
    identity: { unit: request.unit, registers: request.count, voltageV, frequencyHz },
    accuracy: SHEET.accuracy,
    minimumGuardS: SHEET.minimumGuardS,
    channels: [{ ...WALL, samplingPeriodS: periodS, edgeS: periodS / readings, resolutionW: 0.1 }],
    remarks: emulated ? [EMULATED_REMARK] : [],
  };
}

function isEmulated({ alarm }: PzemReading): boolean {
  return alarm === EMULATOR_ALARM;
}
