import type { Check } from '../../findings/checks.ts';
import type { VariantRecord } from '../../store/records.ts';

/** An emulated processor needs tens of host instructions per guest instruction, so its energy is mostly that of the emulation. */
export function emulatedCheck(variants: readonly VariantRecord[]): Check[] {
  const names = variants.filter(({ facts, hidden }) => facts.vm_accel === 'tcg' && !hidden).map(({ name }) => name);
  if (names.length === 0) return [];
  return [{ name: 'emulation', state: 'fail', reason: 'tcg', facts: { variants: names } }];
}
