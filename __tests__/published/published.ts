import type { RoqueFigures, SantosFigures } from './figures.ts';

/**
 * Santos et al., pilot data of 2016, as analysis/ttesting.output of github.com/eddieantonio/collect-data prints them (R: t.test(paired =
 * TRUE), lsr::cohensD, cor).
 */
export const SANTOS: Readonly<Record<string, Partial<SantosFigures>>> = {
  idle: {
    diff: '2036.887',
    t: '9.5204',
    p: '1.711e-07',
    low: '1578.013',
    high: '2495.761',
    d: '4.157429',
    rDocker: '0.05955366',
    rNative: '-0.1665269',
  },
  redis: {
    diff: '733.9533',
    t: '19.689',
    p: '1.329e-11',
    low: '654.0028',
    high: '813.9039',
    d: '8.259761',
    rDocker: '0.9821443',
    rNative: '0.9688946',
  },
  postgresql: { diff: '-12617.45', t: '-34.424', p: '6.23e-15', low: '-13403.58', high: '-11831.32', d: '13.16344' },
  wordpress: { diff: '-5103.74', t: '-68.95', p: '<2.2e-16', low: '-5262.498', high: '-4944.982', d: '20.57104' },
};

/** Barba Roque et al. 2024, notebook energydebug.ipynb of github.com/enriquebarba97/energy-hotspots: describe() and its matrix of percents. */
export const ROQUE: RoqueFigures = {
  images: {
    alpineglibc: ['1435.277323', '24.093821', '284.163933', '10.206018'],
    alpinejem: ['1521.591435', '16.772305', '284.151233', '1.848690'],
    alpinemusl: ['1578.997693', '27.443951', '288.382467', '2.265949'],
    alpinemusl6: ['1612.097829', '22.811095', '286.937500', '2.342816'],
    alpinepack: ['1651.107956', '15.555502', '286.535233', '1.347058'],
    ubuntu: ['1401.535518', '32.811963', '295.271433', '7.954821'],
    ubuntupack: ['1441.416253', '26.118245', '281.629333', '1.706169'],
  },
  // The matrix’s cell of alpinemusl is of older data that were not published.
  percent: { alpinepack: '17.807072', ubuntupack: '2.845503', alpineglibc: '2.407488', alpinejem: '8.566027' },
};
