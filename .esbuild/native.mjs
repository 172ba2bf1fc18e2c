// What a bundler cannot follow: the two native add-ons; and what joulediff never uses of its packages.

/** [file in the checkout, file in dist] of the add-ons: N-API, glibc, one of each for both architectures. */
export const nativeAddons = [
  ['node_modules/better-sqlite3/prebuilds/linux-x64.node', 'native/better-sqlite3.linux-x64.node'],
  ['node_modules/better-sqlite3/prebuilds/linux-arm64.node', 'native/better-sqlite3.linux-arm64.node'],
  [
    'node_modules/@serialport/bindings-cpp/prebuilds/linux-x64/@serialport+bindings-cpp.glibc.node',
    'native/serialport.linux-x64.node',
  ],
  [
    'node_modules/@serialport/bindings-cpp/prebuilds/linux-arm64/@serialport+bindings-cpp.armv8.glibc.node',
    'native/serialport.linux-arm64.node',
  ],
];

const loadAddon = `
function loadAddon(name) {
  const file = require('node:path').join(__dirname, 'native', name + '.' + process.platform + '-' + process.arch + '.node');
  try {
    return require(file);
  } catch (cause) {
    throw new Error('joulediff runs on Linux with glibc, on x64 and arm64; here (' + process.platform + ', ' + process.arch + ') ' +
      'its add-on cannot be loaded: ' + cause.message, { cause });
  }
}
`;

// Replacements of whole modules: [end of the path, text].
const replaced = [
  [
    'better-sqlite3/lib/binding.js',
    `${loadAddon}
let addon;
exports.getBinding = () => (addon ??= loadAddon('better-sqlite3'));
`,
  ],
  [
    '@serialport/bindings-cpp/dist/serialport-bindings.js',
    `${loadAddon}
exports.binding = loadAddon('serialport');
`,
  ],
  // A container of an engine behind ssh runs on another machine than the meter's.
  [
    'docker-modem/lib/ssh.js',
    `module.exports = () => {
  throw new Error('joulediff measures containers of this machine: a Docker engine behind ssh is not supported');
};
`,
  ],
  // No token of the forge's identity is ever asked for; with this come an HTTP client and undici at each start of the action.
  [
    '@actions/core/lib/oidc-utils.js',
    `export class OidcClient {
  static getIDToken() {
    throw new Error('joulediff asks for no token of identity');
  }
}
`,
  ],
  // English alone: joulediff words its messages itself.
  ['zod/v4/locales/index.js', "export { default as en } from './en.js';"],
  // Artifacts are uploaded, never unpacked; a package below this one declares no license, so it must not be in dist/.
  [
    'unzip-stream/unzip.js',
    `exports.Extract = () => {
  throw new Error('joulediff does not download artifacts');
};
`,
  ],
];

export function nativePlugin() {
  return {
    name: 'native',
    setup(build) {
      for (const [end, contents] of replaced) {
        const filter = new RegExp(`/node_modules/${end.replaceAll('.', '\\.')}$`);
        build.onLoad({ filter }, () => ({ contents, loader: 'js' }));
      }
      // A replacement that no longer fits would leave a loader in dist/ that looks for node_modules.
      build.onEnd(({ metafile }) => {
        const inputs = Object.keys(metafile?.inputs ?? {});
        const left = inputs.filter((file) =>
          /node_modules\/(node-gyp-build|ssh2|cpu-features|binary|buffers)\//.test(file),
        );
        return { errors: left.map((file) => ({ text: `${file} must not be bundled` })) };
      });
    },
  };
}
