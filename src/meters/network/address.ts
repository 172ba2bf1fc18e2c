import { InputError } from '../../errors.ts';
import { rememberSecrets } from '../../text/known-secrets.ts';
import type { MeterName } from '../name.ts';
import { checkVariable } from '../options.ts';
import type { HttpOrigin } from './connection.ts';

const HTTP_PORT = 80;

export interface DeviceAddress extends HttpOrigin {
  /** As the user wrote it. */
  readonly text: string;
}

/** `HOST` or `HOST:PORT` after the type, `[…]` around an IPv6 number. Throws InputError: none, or none of these. */
export function deviceAddress(name: MeterName, usualPort = HTTP_PORT): DeviceAddress {
  const { address, type } = name;
  if (address === null) {
    throw new InputError(`The meter "${name.text}" does not say where it is.`, {
      advice: `Write ${type}:HOST, with its name or address on the network, such as ${type}:192.168.1.50.`,
    });
  }
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9a-fA-F:.]+(?:%\w+)?)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  const port = digits === undefined ? usualPort : Number(digits);
  if (host === undefined || port < 1 || port > 65_535) {
    throw new InputError(`"${address}" in the meter name "${name.text}" is not HOST or HOST:PORT.`, {
      advice: `Write no http:// and no path, as in ${type}:192.168.1.50 or ${type}:plug.lan:8080; put an IPv6 number in square brackets.`,
    });
  }
  return { secure: false, host, port, fingerprint: null, text: address };
}

/**
 * The value of the environment variable that an option names, so that no password stands in a meter's name; null where the option isn't given.
 * Throws InputError when the variable isn't set, or is the runner's.
 */
export function secretOption(name: MeterName, key: string, env: NodeJS.ProcessEnv = process.env): string | null {
  const variable = name.options[key];
  if (variable === undefined) return null;
  checkVariable(name, key, variable);
  const value = env[variable];
  if (value) {
    rememberSecrets([value]);
    return value;
  }
  throw new InputError(
    `The environment variable ${variable}, which the meter "${name.type}" takes its secret from, is not set.`,
    {
      advice: 'Set it where joulediff is started; in a workflow, under env of its step.',
    },
  );
}

/** `?fingerprint=`: SHA-256 of the only certificate that the device may show; null where it isn't given. Throws InputError. */
export function fingerprintOption(name: MeterName, secure: boolean): string | null {
  const { fingerprint } = name.options;
  const digits = fingerprint?.replaceAll(':', '').toLowerCase() ?? null;
  if (digits === null || (secure && /^[0-9a-f]{64}$/.test(digits))) return digits;
  throw new InputError(`The option fingerprint in the meter name "${name.text}" is not possible.`, {
    advice:
      'It is the SHA-256 of an https address’s certificate: 64 hexadecimal digits, as `openssl x509 -noout -fingerprint -sha256` prints them.',
  });
}
