#!/usr/bin/env node
'use strict';
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`joulediff needs Node.js 24 or later; this is ${process.version}. Install it, or start joulediff with its full path.
`);
  process.exit(2);
}

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
