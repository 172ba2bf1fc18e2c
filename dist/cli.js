#!/usr/bin/env node
'use strict';
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`joulediff needs Node.js 24 or later; this is ${process.version}.
`);
  process.exit(4);
}

// A reader that has seen enough (| head) is no reason to stop measuring.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
require('./joulediff.js').cli().then(({ main }) => main(process.argv.slice(2))).then((exitCode) => {
  process.exitCode = exitCode;
  // Fires only when something forgotten holds the process open.
  setTimeout(() => process.exit(), 5000).unref();
});
