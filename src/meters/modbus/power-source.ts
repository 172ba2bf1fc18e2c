import type { PolledReading, PolledSource } from '../polled-meter.ts';
import { type Parsed, whatCame } from './answer.ts';
import type { ModbusLine, Patience } from './modbus-line.ts';
import type { ReadRequest } from './request.ts';

/** One request that gives the watts of a meter's only channel, again and again. */
export function powerSource(
  modbus: ModbusLine,
  request: ReadRequest,
  readPowerW: (data: Uint8Array) => Parsed<number>,
  patience: Patience,
): PolledSource {
  return {
    async read(): Promise<PolledReading> {
      const answer = await modbus.read(request, readPowerW, patience);
      if ('none' in answer) return { missing: whatCame(answer) };
      const { tNs, value, repeatedBecause } = answer;
      return { tNs, powerW: [value], repeatedBecause: repeatedBecause && whatCame(repeatedBecause) };
    },
    onEnd: (listener) => modbus.onEnd(listener),
    close: () => modbus.close(),
  };
}
