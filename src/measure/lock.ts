import { createServer, type Server } from 'node:net';
import { MeasureError } from '../errors.ts';

/**
 * Two experiments on one machine would measure each other. The lock is a name in the kernel (an abstract unix socket),
 * so it goes with the process however that ends. `JOULEDIFF_LOCK` gives another name, for tests that run side by side.
 * Throws MeasureError when another experiment holds it.
 */
export async function lockMachine(name = process.env.JOULEDIFF_LOCK ?? 'joulediff.measure'): Promise<Disposable> {
  const server = createServer((socket) => socket.destroy());
  await listen(server, `\0${name}`);
  server.unref();
  return { [Symbol.dispose]: () => void server.close() };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EADDRINUSE') return reject(new MeasureError('The machine could not be reserved.', { cause }));
      reject(
        new MeasureError(
          'Another experiment is being measured on this machine; two at once would measure each other.',
          {
            advice:
              'Wait until it has ended, and set `concurrency` in the workflow so that two jobs never share the machine.',
            cause,
          },
        ),
      );
    });
    server.listen(path);
  });
}
