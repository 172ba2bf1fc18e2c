import { read } from 'node:fs';
import { promisify } from 'node:util';
import type { SerialPort } from 'serialport';

type Binding = (typeof SerialPort)['binding'];
type OpenedBinding = Awaited<ReturnType<Binding['open']>>;

/**
 * The serial library's binding with its reading replaced: at the hang-up that an unplug is, a read may give 0 bytes, which the library takes for
 * "nothing yet" and repeats for ever, filling the memory (serialport/bindings-cpp#162). A port with `vmin` 1 never gives 0 bytes
 * otherwise, so here it means that the port is gone.
 */
export function hangUpAware(binding: Binding): Binding {
  return {
    list: binding.list,
    open: async (options: never) => {
      const port: OpenedBinding = await binding.open(options);
      if ('poller' in port && 'fd' in port) port.read = readerOf(port);
      return port;
    },
  } as Binding;
}

type UnixBinding = Extract<OpenedBinding, { poller: unknown }>;

const readFd = promisify(read);

function readerOf(port: UnixBinding): UnixBinding['read'] {
  return async (buffer, offset, length) => {
    while (port.fd !== null) {
      try {
        const { bytesRead } = await readFd(port.fd, buffer, offset, length, null);
        if (bytesRead > 0) return { buffer, bytesRead };
      } catch (error) {
        if (!['EAGAIN', 'EWOULDBLOCK', 'EINTR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
        if (port.fd === null) break;
        await new Promise<void>((resolve, reject) => {
          port.poller.once('readable', (failure: Error | null) => (failure ? reject(failure) : resolve()));
        });
        continue;
      }
      throw new Error('hung up');
    }
    throw Object.assign(new Error('Port is not open'), { canceled: true });
  };
}
