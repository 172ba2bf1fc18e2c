const fonts = 'src/report/charts/fonts';

/** [file in the checkout, file in dist] of what the pictures need besides code; src/report/charts/assets.ts reads them. */
export const assets = [
  ['node_modules/@resvg/resvg-wasm/index_bg.wasm', 'assets/resvg.wasm'],
  [`${fonts}/DejaVuSans.ttf`, 'assets/DejaVuSans.ttf'],
  [`${fonts}/DejaVuSans-Bold.ttf`, 'assets/DejaVuSans-Bold.ttf'],
  [`${fonts}/LICENSE.txt`, 'assets/DejaVuSans-LICENSE.txt'],
];
