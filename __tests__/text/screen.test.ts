// Class: unit.
import { expect, it } from '@jest/globals';
import { screenText } from '../../src/text/screen.ts';

it.each([
  ['a color', '\u001b[31mred\u001b[0m', 'red'],
  ['a title of the window, ended by a bell', '\u001b]0;evil\u0007text', 'text'],
  ['a title that is ended by a string terminator', '\u001b]2;evil\u001b\\text', 'text'],
  ['orders of one byte', '\u009b2Jtext\u0090device\u009c!', 'text!'],
  ['an order that was cut off', 'text\u001b[', 'text'],
  ['letters that turn the direction', 'abc\u202egnp.exe', 'abcgnp.exe'],
  ['a carriage return that would write over the line', 'true\rfalse', 'true\nfalse'],
])('takes %s out of what a terminal is shown', (_, text, shown) => {
  expect(screenText(text)).toBe(shown);
});

it('keeps lines and tabs, and hides what is known to be secret', () => {
  expect(screenText('a\tb\r\nthe word is swordfish', ['swordfish'])).toBe('a\tb\nthe word is ***');
});
