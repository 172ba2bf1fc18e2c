import { InputError } from '../../errors.ts';
import type { MeterName } from '../meter.ts';
import { portsThatAreThere } from './ports.ts';

/** The port in a serial meter's name. Throws InputError when there is none. */
export function portAddress(name: MeterName): string {
  if (name.address !== null) return name.address;
  throw new InputError(`The meter "${name.text}" needs its port: ${name.type}:/dev/serial/by-id/….`, {
    advice: portsThatAreThere(),
  });
}
