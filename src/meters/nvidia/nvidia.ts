import { join } from 'node:path';
import type { MeterInfo } from '../../contracts/reading.ts';
import { InputError, JoulediffError, MeasureError } from '../../errors.ts';
import { shellWord } from '../../text/shell.ts';
import type { Meter, MeterHost, MeterSheet, MeterType } from '../meter.ts';
import type { MeterName } from '../name.ts';
import { accuracyOption, checkOptionNames, secondsOption, sourceOption } from '../options.ts';
import { firstReadings, LineMeter } from '../program/line-meter.ts';
import { entries, text } from '../sysfs.ts';
import { ENERGY, EnergyReader } from './energy-reader.ts';
import { GpuReader, type PowerField } from './gpu-reader.ts';

/** Program that prints the energy counter; it is beside the code, in the checkout as in dist/. */
const PROGRAM = join(import.meta.dirname, 'assets/energy.py');
const NVML = 'libnvidia-ml.so.1';

/** Fields in order of preference: a mean misses nothing between two readings. Drivers before 530 only know `power.draw`. */
const FIELDS: readonly (readonly PowerField[])[] = [
  ['power.draw.average', 'power.draw.instant', 'power.draw'],
  ['power.draw'],
];
/** Guards, seconds: for a mean over a second, and for a counter, which only needs one reading after the window. */
const GUARD_S = 2;
const COUNTER_GUARD_S = 0.5;
/** Longest time between two values of the mean and of the counter (10 ms: gpuopenanalytics/pynvml#18), seconds. */
const RENEWED_S = 0.1;
const STEP_W = 0.01;
const DEFAULT_PERIOD_S = 0.1;
/** The driver's own list: a folder for each GPU. */
const DRIVER_FOLDER = '/proc/driver/nvidia/gpus';

const SHEET: MeterSheet = {
  product: 'NVIDIA GPUs, by their driver',
  price: 'nothing',
  accuracy: null,
  minimumGuardS: COUNTER_GUARD_S,
  channel: { integration: 'guard', samplingPeriodS: DEFAULT_PERIOD_S, clock: 'host', edgeS: RENEWED_S },
  wiring: 'none; Python 3',
  blind: 'anything but that GPU: no processor, memory, disk or network',
  risks: 'the sensors of A100 and H100 measure a quarter of the time; before Volta, only power (guard: 2 s)',
};

/**
 * One GPU's own energy counter, as NVML tells it (millijoules since the driver was loaded, Volta and newer); where it has none, its power, as `nvidia-smi`
 * tells it. One program is started, which runs as long as the meter.
 */
export const nvidia: MeterType = {
  type: 'nvidia',
  ownMachine: true,
  sheet: SHEET,
  onlyNamed: true,
  check(name) {
    parseSettings(name);
  },
  found: (root = DRIVER_FOLDER) =>
    entries(root).flatMap((gpu) => {
      const uuid = /GPU UUID:\s*(GPU-[0-9a-f-]+)/i.exec(text(join(root, gpu, 'information')) ?? '')?.[1];
      return uuid === undefined ? [] : [`${nvidia.type}:${uuid}`];
    }),
  async open(name, host) {
    const settings = parseSettings(name);
    if (settings.reads === 'energy') return openCounter(settings, host);
    const reason = settings.reads === 'power' ? null : await openCounter(settings, host).catch(reasonOf);
    if (typeof reason === 'object' && reason !== null) return reason;
    const [all, old] = FIELDS as readonly [readonly PowerField[], readonly PowerField[]];
    try {
      return await openPower(all, settings, reason, host);
    } catch (error) {
      // A driver that doesn't know a field says so and ends, as it does for all other reasons.
      if (!(error instanceof MeasureError)) throw error;
      return await openPower(old, settings, reason, host);
    }
  },
};

/** Why there is no energy counter. Throws again what is no reason to read the power instead. */
function reasonOf(error: unknown): string {
  if (error instanceof MeasureError) return error.message;
  throw error;
}

const READS = ['energy', 'power'] as const;

interface Settings {
  /** Index or UUID of the GPU; null: the only one. */
  readonly gpu: string | null;
  readonly program: string;
  readonly library: string;
  /** What to read; null: energy if there is a counter, else power. */
  readonly reads: (typeof READS)[number] | null;
  readonly periodS: number;
  readonly accuracy: MeterInfo['accuracy'];
  readonly source: MeterInfo['source'];
}

function parseSettings(name: MeterName): Settings {
  checkOptionNames(name, ['period', 'gain', 'offset', 'program', 'library', 'reads', 'source']);
  const { program = 'nvidia-smi', library = NVML, reads: asked } = name.options;
  const reads = READS.find((one) => one === asked) ?? null;
  if (asked !== undefined && reads === null) {
    throw new InputError(`The option reads=${asked} in the meter name "${name.text}" is not possible.`, {
      advice: `Possible: ${READS.join(', ')}; without it, energy where there is a counter.`,
    });
  }
  if (name.address !== null && !/^(?:\d{1,3}|GPU-[0-9a-f-]{1,60})$/i.test(name.address)) {
    throw new InputError(`The meter "${name.text}" does not name a GPU.`, {
      advice: 'Write nvidia, nvidia:0 or nvidia:GPU-…; `nvidia-smi -L` shows indices and UUIDs.',
    });
  }
  return {
    gpu: name.address,
    program,
    library,
    reads,
    periodS: secondsOption(name, 'period', { minimum: 0.02, maximum: 10 }, DEFAULT_PERIOD_S),
    accuracy: accuracyOption(name),
    source: sourceOption(name),
  };
}

async function openCounter(settings: Settings, host: MeterHost): Promise<Meter> {
  const { gpu, library, periodS, accuracy, source } = settings;
  const reader = new EnergyReader();
  const words = ['python3', PROGRAM, library, `${periodS}`, ...(gpu === null ? [] : [gpu])];
  const running = host.startProgram(`exec ${words.map(shellWord).join(' ')}`, []);
  try {
    const first = await firstReadings(running, reader, host.clock, { called: 'NVML', advice: DRIVER, unbuffered: '' });
    if (!reader.moved) throw new MeasureError('The energy counter of the GPU stands still.', { advice: DRIVER });
    const channel = { channel: 'gpu', integration: 'guard', clock: 'host', quantities: ENERGY } as const;
    const info: MeterInfo = {
      type: nvidia.type,
      address: gpu,
      source,
      identity: { ...reader.board, field: 'total energy' },
      accuracy,
      minimumGuardS: Math.max(COUNTER_GUARD_S, 3 * first.periodS),
      channels: [{ ...channel, samplingPeriodS: first.periodS, edgeS: RENEWED_S }],
      remarks: listRemarks('NVML (its energy counter)', reader.board.name),
    };
    return new LineMeter(info, running, reader, host.clock);
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function openPower(
  fields: readonly PowerField[],
  settings: Settings,
  reason: string | null,
  host: MeterHost,
): Promise<Meter> {
  const { gpu, program, periodS } = settings;
  const reader = new GpuReader(fields, gpu === null);
  const words = [
    shellWord(program),
    ...(gpu === null ? [] : [`--id=${gpu}`]),
    `--query-gpu=${reader.columns.join(',')}`,
    '--format=csv,noheader,nounits',
    `--loop-ms=${Math.round(periodS * 1000)}`,
  ];
  const running = host.startProgram(`exec ${words.join(' ')}`, []);
  try {
    const first = await firstReadings(running, reader, host.clock, {
      called: 'nvidia-smi',
      advice: DRIVER,
      unbuffered: '',
    });
    if (first.periodS > Math.max(SLOWEST_S, SLOWEST * periodS)) throw heldBack(first.periodS, periodS);
    return new LineMeter(infoOf(settings, reader, first.periodS, reason), running, reader, host.clock);
  } catch (error) {
    await running.stop();
    if (!(error instanceof JoulediffError) || error.advice !== null) throw error;
    throw new MeasureError(error.message, { advice: DRIVER, cause: error });
  }
}

/** Delay, seconds and factor, beyond which a slow rate is not the GPU's, but a program holds lines back. */
const SLOWEST_S = 1;
const SLOWEST = 5;

function heldBack(periodS: number, askedS: number): MeasureError {
  return new MeasureError(`nvidia-smi prints a reading every ${periodS} s instead of every ${askedS} s.`, {
    advice: 'Is it a script that holds its output back? The meter needs every line at its time.',
  });
}

const DRIVER = 'nvidia-smi comes with NVIDIA’s driver: try `nvidia-smi -q -d POWER`.';

/** GPUs (with chips GA100, GH100) that sample their power for only 25 ms of every 100 (Yang et al., SC24, arXiv 2312.02741). */
const PART_TIME = /\b(?:A100|A800|A30|H100|H200|H800|H20|GH200)\b/;

function infoOf(
  { gpu, accuracy, source }: Settings,
  reader: GpuReader,
  periodS: number,
  reason: string | null,
): MeterInfo {
  const { name, uuid, driver, field } = reader.gpu;
  return {
    type: nvidia.type,
    address: gpu,
    source,
    identity: { name, uuid, driver, field },
    accuracy,
    minimumGuardS: GUARD_S,
    channels: [
      {
        channel: 'gpu',
        integration: 'guard',
        clock: 'host',
        samplingPeriodS: periodS,
        edgeS: periodS + RENEWED_S,
        resolutionW: STEP_W,
      },
    ],
    remarks: [
      ...listRemarks(`nvidia-smi (${field})`, name),
      ...(reason === null ? [] : [`Its power is read in the place of its energy counter: ${reason}`]),
    ],
  };
}

function listRemarks(reporter: string, name: string): string[] {
  const remark = `As reported by ${reporter}: the GPU’s board alone, without the rest of the machine; NVIDIA publishes no accuracy for it.`;
  if (!PART_TIME.test(name)) return [remark];
  return [
    remark,
    `The sensor of the ${name} looks at the power for about a quarter of the time: work that comes and goes within 100 ms can be reported wrong by tens of percent.`,
  ];
}
