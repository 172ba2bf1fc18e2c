import type { Check } from '../../findings/checks.ts';

/** An emulated processor needs tens of host instructions per guest instruction, so its energy is mostly that of the emulation. */
export function emulatedCheck(variants: readonly string[]): Check[] {
  return variants.length === 0 ? [] : [{ name: 'emulation', state: 'fail', reason: 'tcg', facts: { variants } }];
}
