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
  'lazy-session': "module.exports = (...args) => require('./buildkit.js').session(...args);",
  'lazy-progress': "module.exports = require('./buildkit.js').progress;",
};

/** Packages that are large and seldom needed: each in a file of its own, read when it is first needed. */
const apart = { '@actions/artifact': 'artifact', undici: 'undici' };

export const entries = {
  joulediff: 'joulediff',
  buildkit: 'buildkit',
  artifact: '@actions/artifact',
  undici: 'undici',
};

export function entryPlugin(root) {
  return {
    name: 'parts',
    setup(build) {
      const own = (path) => ({ path, namespace: 'parts' });
      build.onResolve({ filter: /^(joulediff|buildkit)$/ }, ({ path }) => own(path));
      build.onResolve({ filter: /^\.\/(session|buildkit)$/ }, ({ path, importer }) => {
        const fromDockerode = importer.endsWith('/node_modules/dockerode/lib/docker.js');
        return fromDockerode ? own(path === './session' ? 'lazy-session' : 'lazy-progress') : undefined;
      });
      build.onResolve({ filter: /^\.\/buildkit\.js$/, namespace: 'parts' }, ({ path }) => ({ path, external: true }));
      build.onResolve({ filter: /^(@actions\/artifact|undici)$/ }, ({ path, kind }) =>
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

const needsNode24 = `if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(\`joulediff needs Node.js 24 or later; this is \${process.version}. Install it, or start joulediff with its full path.\n\`);
  process.exit(2);
}
`;

/** The thin files, as they stand in dist/. */
export const shims = {
  'main.js': `'use strict';
require('./joulediff.js').action().then(({ run }) => run());
`,
  'post.js': `'use strict';
require('./joulediff.js').post().then(({ runPost }) => runPost());
`,
  'cli.js': `#!/usr/bin/env node
'use strict';
${needsNode24}
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
