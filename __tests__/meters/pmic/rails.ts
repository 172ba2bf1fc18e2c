import { END } from '../../../src/meters/pmic/adc-reader.ts';

/** Amperes and volts of an idle Raspberry Pi 5, with the numbers that `vcgencmd pmic_read_adc` gives them. */
const RAILS: readonly (readonly [name: string, amperes: number, current: number, volts: number, voltage: number])[] = [
  ['3V7_WL_SW', 0.0966357, 0, 3.706272, 8],
  ['3V3_SYS', 0.06245952, 1, 3.306322, 9],
  ['1V8_SYS', 0.1610285, 2, 1.798289, 10],
  ['DDR_VDD2', 0.00780744, 3, 1.102929, 11],
  ['DDR_VDDQ', 0, 4, 0.6047613, 12],
  ['1V1_SYS', 0.1756674, 5, 1.104394, 13],
  ['0V8_SW', 0.3279125, 6, 0.8025633, 14],
  ['3V3_DAC', 0.0003663, 17, 3.304942, 20],
  ['3V3_ADC', 0.00042735, 18, 3.302194, 21],
  ['0V8_AON', 0.00579975, 16, 0.7973619, 19],
  ['HDMI', 0.0136752, 22, 5.07056, 23],
];
const OTHERS_W = RAILS.reduce((sum, [, amperes, , volts]) => sum + amperes * volts, 0);
const CORE_V = 0.8974594;
/** Step of the current of the processor's rail, as it shows in answers of real boards. */
const CORE_STEP_A = 0.0075012;

const currentLine = (name: string, index: number, amperes: number) =>
  `${`${name}_A`.padStart(12)} current(${index})=${amperes.toFixed(8)}A`;
const voltageLine = (name: string, index: number, volts: number) =>
  `${`${name}_V`.padStart(12)} volt(${index})=${volts.toFixed(8)}V`;

/** What `vcgencmd pmic_read_adc` prints where the rails take so many watts together, as a board whose processor takes what the others don't. */
export function adcLines(watts: number): string[] {
  const coreA = Math.round((watts - OTHERS_W) / CORE_V / CORE_STEP_A) * CORE_STEP_A;
  return [
    ...RAILS.map(([name, amperes, index]) => currentLine(name, index, amperes)),
    currentLine('VDD_CORE', 7, coreA),
    ...RAILS.map(([name, , , volts, index]) => voltageLine(name, index, volts)),
    voltageLine('VDD_CORE', 15, CORE_V),
    '     EXT5V_V volt(24)=5.06788000V',
    '      BATT_V volt(25)=3.01110800V',
    '',
  ];
}

/** The same with the line that ends an answer. */
export const answerOf = (watts: number): string[] => [...adcLines(watts), `${END} 0`];
