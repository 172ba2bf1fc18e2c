// Class: system.
import { describe, expect, it } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { parseMeterNames } from '../../src/meters/name.ts';

const types = ['watts-up-pro', 'rapl', 'estimate', 'auto'];
const parse = (...texts: string[]) => parseMeterNames(texts, types);
const catchError = (...texts: string[]) => {
  try {
    parse(...texts);
  } catch (error) {
    return error as InputError;
  }
  throw new Error('nothing was thrown');
};

describe('parseMeterNames', () => {
  it('takes type, address and options apart', () => {
    expect(parse('watts-up-pro:/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0?baud=19200&x=a%2Cb%3D')).toEqual([
      {
        text: 'watts-up-pro:/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0?baud=19200&x=a%2Cb%3D',
        type: 'watts-up-pro',
        address: '/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0',
        options: { baud: '19200', x: 'a,b=' },
      },
    ]);
  });

  it('keeps the order of lists, given as one text or as several', () => {
    const expected = ['rapl', 'estimate', 'watts-up-pro'];
    expect(parse('rapl, estimate', 'watts-up-pro:/dev/ttyUSB0').map(({ type }) => type)).toEqual(expected);
  });

  it('names the nearest type for an unknown one, and what is possible', () => {
    const error = catchError('wattsup-pro:/dev/ttyUSB0');
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe('Unknown meter type "wattsup-pro" in "wattsup-pro:/dev/ttyUSB0".');
    expect(error.advice).toBe('Did you mean "watts-up-pro"? Possible: watts-up-pro, rapl, estimate, auto.');
  });

  it.each([
    ['', 'No meter is named.'],
    [' , ', 'No meter is named.'],
    ['rapl,', '"" is not a meter name.'],
    [':/dev/ttyUSB0', '":/dev/ttyUSB0" is not a meter name.'],
    ['watts-up-pro:', 'The address is missing after "watts-up-pro:" in "watts-up-pro:".'],
    ['rapl?', '"" in the meter name "rapl?" is not option=value.'],
    ['rapl?period', '"period" in the meter name "rapl?period" is not option=value.'],
    ['rapl?period=', '"period=" in the meter name "rapl?period=" is not option=value.'],
    ['rapl?a=1&a=2', 'The option "a" is given twice in the meter name "rapl?a=1&a=2".'],
    ['rapl?a=%zz', 'The value "%zz" in the meter name "rapl?a=%zz" has an invalid percent sequence.'],
    ['rapl,estimate,rapl', 'The meter "rapl" is named twice.'],
    ['rapl?a=1&b=2,rapl?b=2&a=%31', 'The meter "rapl?b=2&a=%31" is named twice.'],
    // A port can't be opened twice.
    ['watts-up-pro:/dev/a,watts-up-pro:/dev/a?baud=1', 'The meter "watts-up-pro:/dev/a?baud=1" is named twice.'],
  ])('refuses %j', (text, message) => {
    expect(catchError(text).message).toBe(message);
    expect(catchError(text)).toBeInstanceOf(InputError);
  });

  it('takes names that differ in an option only: two outlets of one strip, two numbers of one answer', () => {
    expect(parse('estimate:strip?id=0,estimate:strip?id=1', 'rapl,rapl?core=0')).toHaveLength(4);
  });

  it('takes an option named like a property of every object for an option', () => {
    expect(Object.keys(parse('rapl?__proto__=1')[0]?.options ?? {})).toEqual(['__proto__']);
  });
});
