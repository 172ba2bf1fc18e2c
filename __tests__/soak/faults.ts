import { setTimeout as wait } from 'node:timers/promises';
import type { Prng } from '../../src/stats/prng.ts';
import { docker } from '../e2e/program.ts';
import type { StartedPowercap } from '../emulators/powercap-truth.ts';
import type { Running, Session } from './program.ts';

/** What a fault may reach for. */
export interface Surroundings {
  readonly image: string;
  readonly imageId: string;
  readonly meter: StartedPowercap;
}

/** One thing that is done to a session of the program from outside. */
export interface Fault {
  readonly name: string;
  /** Does it, at a moment that the driver has waited for. Gives whether there was anything to do it to. */
  strike(running: Running, at: Surroundings, prng: Prng): Promise<boolean>;
  /** How the session may end after it, beside being complete. */
  ends(session: Session): boolean;
  /** What was taken away is put back, when the session is over. */
  mend?(at: Surroundings): void;
}

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const;

function stopping(name: keyof typeof CODES, times = 1): Fault {
  return {
    name: times === 1 ? name : `${name} twice`,
    async strike(running, _, prng) {
      running.kill(name);
      for (let i = 1; i < times; i++) {
        await running.after(prng.index(400));
        running.kill(name);
      }
      return true;
    },
    // Before it listens, and after it has told its end or printed its result, the system ends it: nothing is started then.
    ends: ({ code, signal, stderr, stdout }) =>
      code === CODES[name] ||
      (signal === name && (stderr === '' || stdout !== '' || stderr.includes(`stopped by ${name}`))),
  };
}

/** Does it to the first container of the image that is there long enough, created or running. */
function onContainer(name: string, all: boolean, words: readonly string[]): Fault {
  return {
    name,
    async strike(running, { image }) {
      while (!running.isOver()) {
        const found = docker('ps', all ? '-aq' : '-q', '--no-trunc', '--filter', `ancestor=${image}`);
        const [id] = found.split('\n');
        try {
          if (id) return docker(...words, id) !== '';
        } catch {
          // It was gone by itself.
        }
        await wait(10);
      }
      return false;
    },
    // The block is run again, unless the workload had failed in it before.
    ends: ({ code, stderr }) => code === 3 && /failed twice/.test(stderr),
  };
}

export const SIGKILL: Fault = {
  name: 'SIGKILL',
  async strike(running) {
    running.kill('SIGKILL');
    return true;
  },
  ends: ({ signal }) => signal === 'SIGKILL',
};

export const FAULTS: readonly Fault[] = [
  SIGKILL,
  stopping('SIGINT'),
  stopping('SIGINT', 2),
  stopping('SIGTERM'),
  stopping('SIGTERM', 2),
  stopping('SIGHUP'),
  stopping('SIGQUIT'),
  onContainer('container killed', false, ['kill']),
  onContainer('container removed', true, ['rm', '-f']),
  {
    name: 'meter away and back',
    async strike(running, { meter }, prng) {
      meter.steer('vanish');
      await running.after(300 + prng.index(1500));
      meter.steer('return');
      return true;
    },
    // At the start there is no other meter to wait for.
    ends: ({ code, stderr }) => code === 3 && /RAPL is not available/.test(stderr),
  },
  {
    name: 'meter away for good',
    async strike(running, { meter }) {
      meter.steer('vanish');
      await running.after(2500);
      running.kill('SIGINT');
      return true;
    },
    ends: ({ code, signal }) => code === 130 || code === 3 || signal === 'SIGINT',
    mend: ({ meter }) => meter.steer('return'),
  },
  {
    name: 'image tag removed',
    async strike(_, { image }) {
      docker('rmi', '--force', image);
      return true;
    },
    ends: ({ code, stderr }) => code === 3 && /[Ii]mage/.test(stderr),
    mend: ({ image, imageId }) => void docker('tag', imageId, image),
  },
];
