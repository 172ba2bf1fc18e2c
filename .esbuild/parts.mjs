// The files of dist/: thin ones that are started, and what they share.
// Everything shared is evaluated only when it is imported: the terminal program never pays for the action's parts.

const shared = `
export const action = () => import('./src/main.ts');
export const post = () => import('./src/post.ts');
export const cli = () => import('./src/cli.ts');
`;

// What dockerode needs to build an image with BuildKit: gRPC and protocol buffers.
const buildkit = `
exports.session = require('dockerode/lib/session.js');
exports.progress = require('dockerode/lib/buildkit.js');
`;

/** Texts of files that exist only in the bundle. */
const texts = {
  joulediff: shared,
  buildkit,
  'no-parts': 'export const PARTS = [];',
  'lazy-session': "module.exports = (...args) => require('./buildkit.js').session(...args);",
  'lazy-progress': "module.exports = require('./buildkit.js').progress;",
};

/** Packages that are large and seldom needed: each in a file of its own, read when it is first needed. */
const apart = {
  '@actions/artifact': 'artifact',
  '@actions/github': 'github',
  'chart.js': 'chart',
  'hyparquet-writer': 'parquet',
  undici: 'undici',
};

export const entries = {
  joulediff: 'joulediff',
  buildkit: 'buildkit',
  ...Object.fromEntries(Object.entries(apart).map(([name, file]) => [file, name])),
};

/** `onlyCore`: without the optional parts of src/parts/all.ts. */
export function entryPlugin(root, onlyCore = false) {
  return {
    name: 'parts',
    setup(build) {
      const own = (path) => ({ path, namespace: 'parts' });
      if (onlyCore) build.onResolve({ filter: /\/parts\/all\.ts$/ }, () => own('no-parts'));
      build.onResolve({ filter: /^(joulediff|buildkit)$/ }, ({ path }) => own(path));
      build.onResolve({ filter: /^\.\/(session|buildkit)$/ }, ({ path, importer }) => {
        const fromDockerode = importer.endsWith('/node_modules/dockerode/lib/docker.js');
        return fromDockerode ? own(path === './session' ? 'lazy-session' : 'lazy-progress') : undefined;
      });
      build.onResolve({ filter: /^\.\/buildkit\.js$/, namespace: 'parts' }, ({ path }) => ({ path, external: true }));
      const names = Object.keys(apart).map((name) => name.replaceAll('.', '\\.'));
      build.onResolve({ filter: new RegExp(`^(${names.join('|')})$`) }, ({ path, kind }) =>
        kind === 'entry-point' ? undefined : { path: `./${apart[path]}.js`, external: true },
      );
      build.onLoad({ filter: /.*/, namespace: 'parts' }, ({ path }) => ({
        contents: texts[path],
        loader: 'js',
        resolveDir: root,
      }));
    },
  };
}

/** Before anything is loaded: an older Node.js crashes in the native add-ons, and other platforms have none. */
const needsPlatform = ({ tell, install, namesFile }) => `{
  const { existsSync } = require('node:fs');
  const { join } = require('node:path');
  const refuse = (sentence) => {
    ${tell}
    process.exit(2);
  };
  if (Number.parseInt(process.versions.node, 10) < 24) {
    // npm puts the one that package.json names beside joulediff, or into its own folder, but never on PATH.
    const beside = ['..', join('..', 'node_modules'), join('..', '..')]
      .map((folder) => join(__dirname, folder, 'node-' + process.platform + '-' + process.arch, 'bin', 'node'))
      .find((file) => existsSync(file));
    refuse('joulediff needs Node.js 24 or later; this is ' + process.version + '. ' + (${namesFile ? 'beside === undefined || process.argv[1] === undefined' : 'true'}
      ? '${install}'
      : 'Node.js 24 came with joulediff: start ' + beside + ' ' + process.argv[1]));
  }
  // A system may have both; which of them this Node.js runs on is asked only there, because it takes time.
  const musl = ['x86_64', 'aarch64'].some((arch) => existsSync('/lib/ld-musl-' + arch + '.so.1'))
    && process.report.getReport().header.glibcVersionRuntime === undefined;
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch) || musl) {
    refuse('joulediff runs on Linux with glibc, on x64 and arm64; this is ' + process.platform + ' ' + process.arch + (musl ? ' with musl' : '') + '.');
  }
}
`;

const inTerminal = needsPlatform({
  tell: "process.stderr.write(sentence + '\\n');",
  namesFile: true,
  install: 'Install it, or start joulediff with its full path.',
});
/** Node.js keeps what it compiled, which halves the time of a start. It is code: only in a folder that nobody else can write. */
const compiled = `{
  const { statSync } = require('node:fs');
  const { isAbsolute, join } = require('node:path');
  const { HOME, XDG_CACHE_HOME } = process.env;
  const own = XDG_CACHE_HOME || HOME || '';
  const found = isAbsolute(own) ? statSync(own, { throwIfNoEntry: false }) : undefined;
  if (found?.uid === process.getuid() && (found.mode & 0o022) === 0) {
    require('node:module').enableCompileCache(join(XDG_CACHE_HOME || join(HOME, '.cache'), 'joulediff', 'compiled'));
  }
}
`;

/** While runs are measured, memory for short-lived objects that does not grow saves 20 MiB. A report lets it grow again (src/run/run.ts). */
const KEEP_SMALL = "require('node:v8').setFlagsFromString('--semi-space-growth-factor=1');\n";

/** A runner shows it as the error of the step. */
const inAction = needsPlatform({
  tell: "process.stdout.write('::error::' + sentence + '\\n');",
  namesFile: false,
  install: 'Put Node.js 24 first on the PATH of the runner.',
});

/** The thin files, as they stand in dist/. */
export const shims = {
  'main.js': `'use strict';
${inAction}${compiled}${KEEP_SMALL}require('./joulediff.js').action().then(({ run }) => run());
`,
  'post.js': `'use strict';
${inAction}${compiled}require('./joulediff.js').post().then(({ runPost }) => runPost());
`,
  'cli.js': `#!/usr/bin/env node
'use strict';
${inTerminal}${compiled}if (['run', 'measure', 'compare', 'noise'].includes(process.argv[2])) ${KEEP_SMALL}
// A reader that has seen enough (| head) is no reason to stop measuring, and a terminal that has hung up none not to clean up.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (!['EPIPE', 'EIO'].includes(error.code)) throw error;
  });
}
require('./joulediff.js').cli().then(({ main }) => main(process.argv.slice(2))).then((exitCode) => {
  process.exitCode = exitCode;
  // Fires only when something forgotten holds the process open.
  setTimeout(() => process.exit(), 5000).unref();
});
`,
};
