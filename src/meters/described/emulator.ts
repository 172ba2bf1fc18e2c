import { inSi } from '../../sampling/reported.ts';
import { type Averaging, AveragingUnit, averagedPowerW } from '../emulator/averaging-unit.ts';
import { type Bytes, type EmulatedMeter, type EmulatorSettings, randomUnit } from '../emulator/emulator.ts';
import type { EmulatedDevice } from '../emulator/http-device.ts';
import { pointerKeys } from '../network/json.ts';
import { computeChecksum } from './checksums.ts';
import type { Description, Value } from './description.ts';
import { EMULATOR_KEY, EMULATOR_MARK, EMULATOR_REGISTER } from './emulator-mark.ts';
import { bytesOf } from './numbers.ts';
import { highFirst } from './reading.ts';

/** Emulates a described meter: power is the mean over the last `renewed` seconds, and each check gets the middle of its range. */
export function emulateDescribed(description: Description, settings: EmulatorSettings): EmulatedMeter | EmulatedDevice {
  const averaging = getAveraging(description, settings);
  if (description.http !== undefined) {
    return {
      delayMs: () => 30,
      answer: (_, nowNs) => ({ status: 200, body: jsonText(description, averagedPowerW(settings, averaging, nowNs)) }),
    };
  }
  return description.modbus === undefined
    ? new EmulatedStream(description, settings)
    : modbusUnit(description, description.modbus, settings);
}

function getAveraging({ renewed }: Description, { latencyNs, originNs }: EmulatorSettings): Averaging {
  return { averageS: renewed, refreshS: renewed, lagNs: latencyNs, originNs };
}

/** Every field with its raw number. */
function fieldsOf({ power, checks }: Description, powerW: number): (readonly [Value, number])[] {
  const middle = ({ between = [0, 0] }: Value) => (between[0] + between[1]) / 2;
  const raw = (value: Value, number: number) => [value, number / value.scale] as const;
  return [...Object.values(checks).map((one) => raw(one, middle(one))), raw(power, powerW / inSi(1, power.unit))];
}

function modbusUnit(
  description: Description,
  { unit, registers, address, count }: NonNullable<Description['modbus']>,
  settings: EmulatorSettings,
): EmulatedMeter {
  const words = (asked: number, wanted: number, powerW: number): readonly number[] | null => {
    const { address: mark, value } = EMULATOR_REGISTER;
    if (asked === mark && wanted === 2) return [value >>> 16, value & 0xffff];
    if (asked !== address || wanted !== count) return null;
    const bytes = filled(2 * count, fieldsOf(description, powerW), 'registers');
    return Array.from({ length: count }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0));
  };
  let shownW = 0;
  return new AveragingUnit(
    settings,
    { averageS: description.renewed, refreshS: description.renewed },
    {
      answersTo: (asked) => asked === unit,
      input: (asked, wanted, { powerW }) => {
        shownW = powerW;
        return registers === 'input' ? words(asked, wanted, powerW) : null;
      },
      holding: (asked, wanted) => (registers === 'holding' ? words(asked, wanted, shownW) : null),
      others: new Map(),
      replyMs: [30, 60],
    },
  );
}

/** Bytes with the fields filled in. Their places are found by reading a record of numbered bytes with the normal parser. */
function filled(
  length: number,
  fields: readonly (readonly [Value, number])[],
  kind: 'registers' | 'bytes',
): Uint8Array {
  const all = new Uint8Array(length);
  for (const [{ at, type, order }, number] of fields) {
    const start = kind === 'registers' ? 2 * Number(at) : Number(at);
    const numbered = Uint8Array.from({ length }, (_, i) => i - start);
    const bytes = bytesOf(number, type);
    highFirst(numbered, { at: Number(at), type, order }, kind).forEach((offset, i) => {
      all[start + offset] = bytes[i] ?? 0;
    });
  }
  return all;
}

function jsonText(description: Description, powerW: number): string {
  // The object has no prototype, so that any key is allowed.
  const empty = (): Record<string, unknown> => Object.create(null);
  const document = empty();
  document[EMULATOR_KEY] = true;
  for (const [{ at }, number] of fieldsOf(description, powerW)) {
    const keys = pointerKeys(String(at));
    const last = keys.pop() ?? '';
    let inner = document;
    for (const key of keys) {
      const next = (inner[key] ?? empty()) as Record<string, unknown>;
      inner[key] = next;
      inner = next;
    }
    inner[last] = Number(number.toFixed(6));
  }
  return JSON.stringify(document);
}

/** Readings as lines or records: the answer to the described question, or one whenever the value is renewed. */
class EmulatedStream implements EmulatedMeter {
  readonly #description: Description;
  readonly #settings: EmulatorSettings;
  readonly #request: Buffer | null;
  #heard = Buffer.alloc(0);
  #dueNs: bigint | null;
  #answers = 0;

  constructor(description: Description, settings: EmulatorSettings) {
    const { request } = description;
    this.#description = description;
    this.#settings = settings;
    this.#request =
      request === undefined ? null : Buffer.from('hex' in request ? request.hex : Buffer.from(request.text, 'latin1'));
    this.#dueNs = this.#request === null ? settings.originNs + settings.latencyNs : null;
  }

  receive(bytes: Uint8Array, nowNs: bigint): Bytes {
    if (this.#request === null) return '';
    this.#heard = Buffer.concat([this.#heard, bytes]).subarray(-this.#request.length);
    if (!this.#heard.equals(this.#request)) return '';
    const delayMs = 20 + 40 * randomUnit(this.#settings.seed + 3, this.#answers++);
    this.#dueNs = nowNs + BigInt(Math.round(delayMs * 1e6));
    return '';
  }

  dueNs(): bigint | null {
    return this.#dueNs;
  }

  record(): Bytes {
    const dueNs = this.#dueNs ?? this.#settings.originNs;
    const renewedNs = BigInt(Math.round(this.#description.renewed * 1e9));
    this.#dueNs = this.#request === null ? dueNs + renewedNs : null;
    const powerW = averagedPowerW(this.#settings, getAveraging(this.#description, this.#settings), dueNs);
    const { line, record } = this.#description;
    const fields = fieldsOf(this.#description, powerW);
    if (record !== undefined) {
      const { starts, length, checksum } = record;
      const bytes = filled(length, fields, 'bytes');
      bytes.set(starts);
      const end = length - computeChecksum(checksum.type, new Uint8Array()).length;
      bytes.set(computeChecksum(checksum.type, bytes.subarray(checksum.from, end)), end);
      return Buffer.concat([Buffer.from(EMULATOR_MARK), bytes]);
    }
    if (line === undefined) return `${EMULATOR_MARK}\n${jsonText(this.#description, powerW)}\n`;
    const columns: string[] = [];
    for (const [{ at }, number] of fields) columns[Number(at)] = number.toFixed(4);
    return `${EMULATOR_MARK}\n${line.starts}${Array.from(columns, (text) => text ?? '0').join(line.separator)}\n`;
  }
}
