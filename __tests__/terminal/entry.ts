// The terminal program from its source, started as dist/cli.js starts it.
import { main } from '../../src/cli.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!['EPIPE', 'EIO'].includes(error.code ?? '')) throw error;
  });
}
void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), 5000).unref();
});
