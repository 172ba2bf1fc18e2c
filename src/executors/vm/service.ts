import { setTimeout as sleep } from 'node:timers/promises';
import { MeasureError } from '../../errors.ts';
import { appendRegular } from '../../system/open-regular.ts';
import { runMarks } from '../environment.ts';
import type { MadeService, ServiceCommand, ServiceContext, ServiceEnd } from '../service.ts';
import { listenersIn } from '../services/listeners.ts';
import type { GuestPlace } from './place.ts';
import { OUTPUT_GONE } from './run.ts';
import type { VmVariant } from './variant.ts';

/** Upper bound on a service's output that is searched for the line of `ready`, bytes. */
const SEARCHED_BYTES = 64 * 1024;
/** Time that a test for readiness has to end when it is given up: only the end of its guest ends it otherwise. */
const GIVE_UP_MS = 2000;
const POLL_MS = 200;

export interface GuestServiceSetup {
  readonly variant: VmVariant;
  /** Guest that it runs in, held for it. */
  readonly place: GuestPlace;
  /** Whether this service reports the resources of the guest, which all services of a run share: only one may. */
  readonly isFirst: boolean;
  readonly service: ServiceCommand;
  readonly context: ServiceContext;
}

/** A service in a guest, started by the agent that runs all commands there. */
export function makeGuestService(setup: GuestServiceSetup): MadeService {
  const { variant, place, isFirst, service, context } = setup;
  const { guest } = place;
  const { name } = service;
  const isReached = variant.workload.place === 'host';
  const { promise: ended, resolve: end } = Promise.withResolvers<ServiceEnd>();
  const { experimentId, runId } = context;
  // The colon ends the name, which may be the beginning of another one.
  const marks = runMarks({ experimentId, runId, variant: variant.name, part: `${name}:` }, 'service');
  const inPlace = (run: ServiceCommand['run'], before: readonly string[] = []) =>
    place.textOf({ run, before, env: { ...service.env, ...marks }, workdir: service.workdir });
  const listenersAt = async (port: number) =>
    listenersIn(await place.connections()).filter((listener) => listener.port === port);
  let isStarted = false;
  let hasEnded = false;
  let output = '';
  let left: readonly string[] = [];
  return {
    ended,
    network: 'guest',
    async start() {
      await guest.serve(name, inPlace(service.run, ['setsid']), (reported) => {
        hasEnded = true;
        left = reported.left;
        output = reported.lastOutput;
        end(reported);
      });
      isStarted = true;
    },
    output: () => output,
    async refresh() {
      if (hasEnded || guest.isGone) return;
      output = await place.fetchOutput(`service-${name}`, SEARCHED_BYTES);
    },
    listens: async (port) => (await listenersAt(port)).some(({ isLoopback }) => !isReached || !isLoopback),
    async unheard(port) {
      const isThere = (await listenersAt(port)).length > 0;
      return isThere
        ? `it listens on port ${port} of the guest's loopback address only, where a client on the host does not reach it`
        : `nothing listens on port ${port} of the guest`;
    },
    addresses: async () => [],
    async succeeds(command, signal) {
      const giveUp = () =>
        void sleep(GIVE_UP_MS, undefined, { signal: over.signal }).then(
          () => guest.kill(),
          () => {},
        );
      const over = new AbortController();
      signal.addEventListener('abort', giveUp, { once: true, signal: over.signal });
      try {
        const late = () => new MeasureError('A test for readiness took too long.');
        const { exitCode } = await guest.run('ready', inPlace(command), { withinMs: null, late });
        await guest.account();
        return exitCode === 0;
      } catch (thrown) {
        if (!signal.aborted) throw thrown;
        return false;
      } finally {
        over.abort();
      }
    },
    // A client in the guest accounts for all of it.
    used: () => (isFirst && isReached && isStarted ? [guest.used()] : []),
    left: () => left,
    async stop(withinS) {
      try {
        if (!isStarted) return { killed: false, left: [] };
        const killed = guest.isGone ? false : await endWithin(withinS);
        await place.saveOutput(`service-${name}`, context.logFile);
        return { killed, left };
      } catch (thrown) {
        if (!guest.isGone && !context.signal.aborted) throw thrown;
        appendRegular(context.logFile, `${OUTPUT_GONE}\n`);
        return { killed: false, left: [] };
      } finally {
        await place.letGo();
      }
    },
  };

  /** Asks it to end, and kills what is left of it. Gives whether it had to be killed. */
  async function endWithin(withinS: number): Promise<boolean> {
    const { signal } = service.stop;
    const untilMs = performance.now() + 1000 * withinS;
    const leftMs = (): number => Math.max(0, untilMs - performance.now());
    let isAsked = false;
    let isThere = !hasEnded;
    while (isThere && signal !== 'SIGKILL' && leftMs() > 0) {
      // Its program may not have been started yet, and a shell that started a server may end before that has.
      const names = await guest.signal(name, isAsked ? '0' : signal);
      isAsked ||= names.length > 0;
      isThere = !hasEnded || names.length > 0;
      if (isThere && isAsked && !hasEnded) await Promise.race([ended, sleep(leftMs(), undefined, { ref: false })]);
      else if (isThere) await sleep(Math.min(POLL_MS, leftMs()));
    }
    await guest.signal(name, 'SIGKILL');
    return isThere && signal !== 'SIGKILL';
  }
}
