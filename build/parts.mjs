// The files of dist/: thin ones that are started, and what they share.
// Everything shared is evaluated only when it is imported: the terminal program never pays for the action's parts.

const shared = `
export const action = () => import('./src/main.ts');
export const post = () => import('./src/post.ts');
export const cli = () => import('./src/cli.ts');
`;

/** Packages that only the action needs, and large: each in a file of its own, read when it is first needed. */
const apart = { '@actions/artifact': 'artifact', undici: 'undici' };

export const entries = { joulediff: 'joulediff', ...Object.fromEntries(Object.entries(apart).map(([a, b]) => [b, a])) };

export function entryPlugin(root) {
  return {
    name: 'parts',
    setup(build) {
      build.onResolve({ filter: /^joulediff$/ }, ({ path }) => ({ path, namespace: 'parts' }));
      build.onLoad({ filter: /.*/, namespace: 'parts' }, () => ({ contents: shared, loader: 'js', resolveDir: root }));
      build.onResolve({ filter: /^(@actions\/artifact|undici)$/ }, ({ path, kind }) =>
        kind === 'entry-point' ? undefined : { path: `./${apart[path]}.js`, external: true },
      );
    },
  };
}

const needsNode24 = `if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(\`joulediff needs Node.js 24 or later; this is \${process.version}.\\n\`);
  process.exit(4);
}
`;

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
require('./joulediff.js').cli().then(({ main }) => main(process.argv.slice(2))).then((exitCode) => {
  process.exitCode = exitCode;
});
`,
};
