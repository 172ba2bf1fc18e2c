import type { Readable } from 'node:stream';
import type Docker from 'dockerode';

/** The archive of an image, as `docker save` makes it. Throws what the engine says, and the reason of `stop`: then what comes late is closed. */
export async function imageArchive(from: Docker, id: string, stop: AbortSignal): Promise<Readable> {
  stop.throwIfAborted();
  const asked = from.getImage(id).get() as Promise<unknown> as Promise<Readable>;
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(stop.reason);
  stop.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([asked, ended.promise]);
  } catch (cause) {
    void asked.then((late) => late.destroy()).catch(() => {});
    throw cause;
  } finally {
    stop.removeEventListener('abort', end);
  }
}
