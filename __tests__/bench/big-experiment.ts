import { makePlan } from '../../src/schedule/randomize.ts';
import { StoreWriter } from '../../src/store/writer.ts';
import { createRandom } from '../simulate/random.ts';
import { conditions, nativeAndContainer, wallMeter } from '../store/fixtures.ts';

const PERIOD_S = 0.1;
const REST_S = 30;
const GUARD_S = 3;
const IDLE_W = 50;
const BLOCKS = 40;
const WARMUPS = 2;
const SEED = 40;

/** An experiment.db of 2 × 40 runs and two warm-up blocks with about so many samples: a meter of ten readings a second, an outlier now and then. */
export function writeBigExperiment(path: string, samples: number): void {
  const experiment = {
    ...nativeAndContainer,
    repetitions: BLOCKS,
    warmup: { runs: WARMUPS },
    restS: REST_S,
    guardS: GUARD_S,
    seed: SEED,
  };
  const plan = makePlan(experiment, SEED);
  const [channel] = wallMeter.channels;
  if (channel === undefined) throw new Error('the meter has no channel');
  const meters = [{ ...wallMeter, channels: [{ ...channel, samplingPeriodS: PERIOD_S }] }];
  const store = StoreWriter.create(path, {
    id: 'big',
    startedAt: '2026-01-02T03:04:05.000Z',
    experiment,
    plan,
    facts: new Map(),
    meters: meters.map((meter) => ({ ...meter, name: `${meter.type}:${meter.address}`, passport: null })),
    noiseFloor: null,
  });
  store.beginSession('2026-01-02T03:04:06.000Z', 0n, conditions);
  const random = createRandom(SEED);
  const perRun = Math.floor(samples / plan.runs.length);
  const windowS = perRun * PERIOD_S - REST_S - GUARD_S;
  let n = 0;
  const at = (seconds: number): bigint => BigInt(Math.round(seconds * 1e9));
  const reading = (powerW: number) => ({
    tNs: at(++n * PERIOD_S),
    powerW: Math.round(10 * powerW) / 10,
    durationS: PERIOD_S,
  });
  for (const planned of plan.runs) {
    const fromS = n * PERIOD_S;
    const outlier = random.uniform() < 0.03 ? 8 : 0;
    const powerW = 120 + (planned.variant === 'native' ? 0 : 2.5) + random.normal() + outlier;
    const lengthS = windowS * (1 + 0.002 * (random.uniform() - 0.5));
    const startS = fromS + REST_S;
    const list = Array.from({ length: perRun }, () => {
      const midS = (n + 0.5) * PERIOD_S;
      const running = midS > startS && midS < startS + lengthS;
      return reading((running ? powerW : IDLE_W) + 0.5 * random.normal());
    });
    store.addRun(
      {
        run: planned.run,
        planned: planned.run,
        attempt: 1,
        position: planned.position,
        status: planned.warmup ? 'warmup' : 'ok',
        cause: null,
        reason: null,
        restEnd: null,
        restStartNs: at(fromS),
        startNs: at(startS),
        endNs: at(startS + lengthS),
        guardEndNs: at(n * PERIOD_S),
        exitCode: 0,
        signal: null,
        outputTail: null,
        executions: 1,
        machine: null,
        incidents: null,
        telemetry: null,
        place: null,
      },
      { samples: new Map([['wall', list]]), events: [] },
    );
  }
  const idleFromS = n * PERIOD_S;
  const idle = Array.from({ length: REST_S / PERIOD_S }, () => reading(IDLE_W + 0.5 * random.normal()));
  store.addIdle(at(idleFromS), at(n * PERIOD_S), { samples: new Map([['wall', idle]]), events: [] });
  store.close('2026-01-03T03:04:06.000Z', { kind: 'complete' }, { samples: new Map(), events: [] });
}
