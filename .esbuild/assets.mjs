const FONTS = 'src/report/charts/canvas/fonts';

const HELPER = ['base', 'machine', 'engine', 'services', 'program'];

/**
 * [file in the checkout, file in dist] of what is read at run time besides code: the pictures' fonts and renderer
 * (src/report/charts/canvas/assets.ts), the program for another machine (src/hosts/helper.ts), the one that reads a GPU's counter
 * (src/meters/nvidia/nvidia.ts), and the messages that dockerode exchanges with BuildKit.
 */
export const assets = [
  ['node_modules/@resvg/resvg-wasm/index_bg.wasm', 'assets/resvg.wasm'],
  [`${FONTS}/DejaVuSans.ttf`, 'assets/DejaVuSans.ttf'],
  [`${FONTS}/DejaVuSans-Bold.ttf`, 'assets/DejaVuSans-Bold.ttf'],
  [`${FONTS}/LICENSE.txt`, 'assets/DejaVuSans-LICENSE.txt'],
  ['src/meters/nvidia/assets/energy.py', 'assets/energy.py'],
  ...HELPER.map((part) => [`src/hosts/helper/${part}.py`, `assets/helper/${part}.py`]),
  ['node_modules/dockerode/lib/proto/auth.proto', 'proto/auth.proto'],
  ['node_modules/dockerode/lib/proto/buildkit_status.proto', 'proto/buildkit_status.proto'],
];
