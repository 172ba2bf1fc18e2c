import type { MeterInfo } from '../../contracts/reading.ts';
import { inSi, type Quantity } from '../../sampling/reported.ts';
import { CounterCheck } from '../counter-check.ts';
import { EMULATED_REMARK } from '../emulator/emulator.ts';
import type { Meter, MeterHost, MeterSheet } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { type DeviceAddress, deviceAddress } from '../network/address.ts';
import type { HttpConnection } from '../network/connection.ts';
import { MAX_PLUG_W, PLUG_READINGS, plugChannel } from '../network/device.ts';
import { type Identified, jsonSource } from '../network/json.ts';
import { accuracyOption, secondsOption } from '../options.ts';
import { PolledMeter } from '../polled-meter.ts';

/** Energy between two comparisons with the counter, watt-hours: twenty of its steps. */
const STRETCH_WH = 20;

/** What a buyer must know of TP-Link's plugs, whatever their protocol. */
export const TP_LINK_SHEET: Omit<MeterSheet, 'product' | 'risks'> = {
  price: 'under €50',
  accuracy: null,
  // TP-Link does not publish how often its plugs renew their value, so these wait two seconds longer than other plugs.
  minimumGuardS: 5,
  channel: { part: 'machine', integration: 'guard', clock: 'host', samplingPeriodS: 1, edgeS: 0.5, resolutionW: 0.001 },
  wiring: 'between plug and socket; Wi-Fi',
  blind: 'which part of the machine, or which program, draws the power',
};

export interface PlugSettings {
  readonly address: DeviceAddress;
  readonly periodS: number;
  readonly accuracy: MeterInfo['accuracy'];
}

/** Parses the options `period`, `gain` and `offset`, and the address. Throws InputError. */
export function plugSettings(name: MeterName, usualPort?: number): PlugSettings {
  return {
    address: deviceAddress(name, usualPort),
    periodS: secondsOption(name, 'period', { minimum: 0.5, maximum: 5 }, 1),
    accuracy: accuracyOption(name),
  };
}

/** Power, and the energy counter beside it in the unit of its quantity; null: the plug has none. */
export interface PlugReading {
  readonly powerW: number;
  readonly total: number | null;
}

export interface TpLinkPlug {
  readonly type: string;
  readonly isEmulated: boolean;
  readonly identity: MeterInfo['identity'];
  readonly resolutionW: number;
  /** The energy counter, whose steps of 1 Wh are too coarse to measure with; null: the plug has none. */
  readonly counter: Quantity | null;
  readonly remarks: readonly string[];
  readonly device: Identified;
  /** Throws HttpFault. */
  read(): Promise<PlugReading & { readonly tNs: bigint }>;
}

export function plugMeter(
  connection: Pick<HttpConnection, 'close' | 'remote'>,
  { address, periodS, accuracy }: PlugSettings,
  { type, isEmulated, identity, resolutionW, counter, remarks, device, read }: TpLinkPlug,
  host: MeterHost,
): Meter {
  const info: MeterInfo = {
    type,
    address: address.text,
    source: isEmulated ? 'emulated' : 'measured',
    identity,
    accuracy,
    minimumGuardS: TP_LINK_SHEET.minimumGuardS,
    channels: [{ ...plugChannel(periodS, resolutionW), ...(counter && { quantities: [counter] }) }],
    remarks: [...(isEmulated ? [EMULATED_REMARK] : accuracy === null ? [UNPUBLISHED] : []), ...remarks],
  };
  const check = new CounterCheck(STRETCH_WH);
  const source = jsonSource(
    connection,
    async () => {
      const { powerW, total, tNs } = await read();
      // These plugs don't report a direction of power.
      if (!(powerW >= 0 && powerW <= MAX_PLUG_W)) return { missing: `it reports ${powerW} W` };
      if (counter === null || total === null) return { tNs, powerW: [powerW], note: null };
      const note = check.check(tNs, powerW, inSi(total, counter.unit) / 3600);
      return { tNs, powerW: [powerW], note, reported: { tNs, values: [total], since: null } };
    },
    device,
  );
  return new PolledMeter(info, source, host.clock, PLUG_READINGS);
}

const UNPUBLISHED =
  'TP-Link publishes neither an accuracy for this plug nor how often it renews its value: run joulediff meter check. A proportional error cancels in percentages, but joules may be off by it.';
