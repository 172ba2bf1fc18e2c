import type { Packet } from './packets.ts';

export interface Version {
  readonly model: string;
  readonly memory: string;
  readonly hardware: string;
  readonly firmware: string;
  readonly firmwareTimestamp: string;
}

const models = ['Standard', 'PRO', 'PRO ES', '.Net', 'blind module'];

/** Firmware time stamp by which joulediff's own emulator tells what it is: no meter was built in 1970. */
export const emulatorTimestamp = '197001010000';

/** The version record `#v,-,8,…;` (Communications Protocol, `#V`), null when the packet isn't one. */
export function readVersion(packet: Packet): Version | null {
  const { parts } = packet;
  if (packet.command !== 'v' || parts[2] !== '8' || parts.length !== 11) return null;
  const numbers = parts.slice(3);
  if (!numbers.every((field) => /^(_|\d{1,20})$/.test(field))) return null;
  const [model = '', memory = '', hardware, hardwareMinor, firmware, firmwareMinor, firmwareTimestamp = ''] = numbers;
  return {
    model: models[Number(model)] ?? `unknown (${model})`,
    memory,
    hardware: `${hardware}.${hardwareMinor}`,
    firmware: `${firmware}.${firmwareMinor}`,
    firmwareTimestamp,
  };
}

/** Does the meter log power? From `#c,-,18,<0|1>…;`, power first; null when the packet isn't one. */
export function readLogsPower(packet: Packet): boolean | null {
  const { parts } = packet;
  if (packet.command !== 'c' || parts.length < 4) return null;
  return parts[3] === '1';
}
