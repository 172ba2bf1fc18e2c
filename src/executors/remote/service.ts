import type { Command } from '../../contracts/variant.ts';
import { MeasureError, withoutFullStop } from '../../errors.ts';
import type { Connection } from '../../hosts/connection.ts';
import type { RemoteHost } from '../../hosts/host.ts';
import { HelperError, HostLostError } from '../../hosts/link.ts';
import { appendRegular } from '../../system/open-regular.ts';
import { runMarks } from '../environment.ts';
import { PlaceLostError } from '../failures.ts';
import { argvOf } from '../repeat.ts';
import type { MadeService, ServiceCommand, ServiceContext, ServiceEnd } from '../service.ts';
import { serviceSubject } from '../services/failures.ts';
import { MAX_BROUGHT_BYTES, telling, textOf } from './machine.ts';

/** Bytes of output that are searched for a line that shows that the service is ready. */
const MAX_SEARCHED_BYTES = 2 * 2 ** 20;
/** Time after which a silent helper counts as gone: it has to end what is left of a killed service, too. */
const LATE_MS = 60_000;
/** Time limit in the helper for a command that tests whether the service is ready; it is not waited for that long. */
const TRY_S = 3600;

export interface RemoteServiceSetup {
  readonly host: RemoteHost;
  readonly service: ServiceCommand;
  readonly context: ServiceContext;
  readonly variant: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folder there in which the service starts. Throws as sending the files does. */
  directory(): Promise<string>;
}

/** A service that is a process on another machine; the helper there starts and ends it. The caller adds how it is reached. */
export function makeRemoteService(setup: RemoteServiceSetup): Omit<MadeService, 'listens' | 'addresses'> {
  const { host, service, context } = setup;
  const { name } = service;
  const { promise: ended, resolve: end } = Promise.withResolvers<ServiceEnd>();
  /** Connection that it was started over; the service ends with it, whatever connection comes later. */
  let line: Connection | null = null;
  let directory = '/';
  let output = '';
  let seen = 0;
  let left: readonly string[] = [];
  const identity = { experimentId: context.experimentId, runId: context.runId, variant: setup.variant, part: name };
  const env = { ...setup.env, ...service.env, ...runMarks(identity, 'service') };

  const hearOfEnd = async (connection: Connection): Promise<void> => {
    try {
      const reported = await connection.ask('service_end', { name }, null);
      output = decodeOutput(reported);
      left = reported.left;
      end({ exitCode: reported.exit_code, signal: reported.signal, limit: null });
    } catch (thrown) {
      const lost = thrown instanceof HostLostError ? new PlaceLostError(thrown.message, { cause: thrown }) : thrown;
      end({ exitCode: null, signal: null, limit: null, lost });
    }
  };

  return {
    ended,
    network: null,
    start: () =>
      telling(async () => {
        directory = await setup.directory();
        const { connection } = host;
        try {
          const argv = argvOf(service.run);
          await connection.ask('service', { name, argv, cwd: directory, env });
        } catch (thrown) {
          if (!(thrown instanceof HelperError)) throw thrown;
          const why = `${programOf(service.run)}: ${withoutFullStop(thrown.message)}`;
          throw new MeasureError(`${serviceSubject(service)} could not be started on ${host.address}: ${why}.`, {
            cause: thrown,
          });
        }
        line = connection;
        void hearOfEnd(connection);
      }),
    output: () => output,
    async refresh() {
      const connection = line;
      if (connection === null) return;
      const asked = { name, most: MAX_SEARCHED_BYTES, seen };
      const reported = await telling(() => connection.ask('service_printed', asked));
      seen = reported.size;
      if (reported.parts !== null) output = decodeOutput({ parts: reported.parts, left_out: reported.left_out });
    },
    async succeeds(command, signal) {
      if (line === null || signal.aborted) return false;
      const connection = line;
      const enough = () => connection.tell('service_enough', { name });
      signal.addEventListener('abort', enough, { once: true });
      try {
        const asked = { name, argv: argvOf(command), cwd: directory, env, timeout: TRY_S };
        return (await connection.ask('service_try', asked, null)).good;
      } finally {
        signal.removeEventListener('abort', enough);
      }
    },
    left: () => left,
    async stop(withinS) {
      // What was there ended with its connection.
      const connection = line;
      if (connection === null || connection.isLost) return { killed: false, left: [] };
      const { signal } = service.stop;
      const asked = { name, signal, within: withinS, most: MAX_BROUGHT_BYTES };
      const reported = await telling(() => connection.ask('service_stop', asked, 1000 * withinS + LATE_MS));
      appendRegular(context.logFile, decodeOutput(reported));
      return { killed: reported.killed, left: [...reported.left, ...reported.remaining] };
    },
  };
}

const decodeOutput = ({ parts, left_out: leftOut }: { readonly parts: readonly string[]; readonly left_out: number }) =>
  textOf({ parts: parts.map((part) => Buffer.from(part, 'base64')), leftOut });

const programOf = (command: Command): string => (typeof command === 'string' ? 'sh' : (command[0] ?? ''));
