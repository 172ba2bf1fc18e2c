/** [file in the checkout, file in dist] of what the pictures need besides code. */
export const assets = [['node_modules/@resvg/resvg-wasm/index_bg.wasm', 'assets/resvg.wasm']];
