'use strict';
{
  const { existsSync } = require('node:fs');
  const { join } = require('node:path');
  const refuse = (sentence) => {
    process.stdout.write('::error::' + sentence + '\n');
    process.exit(2);
  };
  if (Number.parseInt(process.versions.node, 10) < 24) {
    // npm puts the one that package.json names beside joulediff, or into its own folder, but never on PATH.
    const beside = ['..', join('..', 'node_modules'), join('..', '..')]
      .map((folder) => join(__dirname, folder, 'node-' + process.platform + '-' + process.arch, 'bin', 'node'))
      .find((file) => existsSync(file));
    refuse('joulediff needs Node.js 24 or later; this is ' + process.version + '. ' + (true
      ? 'Put Node.js 24 first on the PATH of the runner.'
      : 'Node.js 24 came with joulediff: start ' + beside + ' ' + process.argv[1]));
  }
  // A system may have both; which of them this Node.js runs on is asked only there, because it takes time.
  const musl = ['x86_64', 'aarch64'].some((arch) => existsSync('/lib/ld-musl-' + arch + '.so.1'))
    && process.report.getReport().header.glibcVersionRuntime === undefined;
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch) || musl) {
    refuse('joulediff runs on Linux with glibc, on x64 and arm64; this is ' + process.platform + ' ' + process.arch + (musl ? ' with musl' : '') + '.');
  }
}
{
  const { statSync } = require('node:fs');
  const { isAbsolute, join } = require('node:path');
  const { HOME, XDG_CACHE_HOME } = process.env;
  const own = XDG_CACHE_HOME || HOME || '';
  const found = isAbsolute(own) ? statSync(own, { throwIfNoEntry: false }) : undefined;
  if (found?.uid === process.getuid() && (found.mode & 0o022) === 0) {
    require('node:module').enableCompileCache(join(XDG_CACHE_HOME || join(HOME, '.cache'), 'joulediff', 'compiled'));
  }
}
require('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
require('./joulediff.js').action().then(({ run }) => run());
