import { MeasureError } from '../../errors.ts';
import { type NoAnswer, whatCame } from './answer.ts';

/** `meter` ("a PZEM-004T") was looked for on the port, and something else came. */
export function notHere(meter: string, path: string, answer: NoAnswer, advice: string): MeasureError {
  const expected = answer.none === 'silence' || answer.none === 'garbage' ? 'a Modbus reply was expected, ' : '';
  return new MeasureError(`There is no ${meter} on ${path}: ${expected}${whatCame(answer)}.`, { advice });
}
