import { averagedPowerW } from '../emulator/averaging-unit.ts';
import { type EmulatorSettings, EnergyRegister, randomUnit } from '../emulator/emulator.ts';
import type { DeviceAnswer, DeviceQuestion, EmulatedDevice } from '../emulator/http-device.ts';

/** How the controller differs from one with the newest form, a second of lag and one chassis. */
export interface RedfishTraits {
  readonly form?: 'EnvironmentMetrics' | 'PowerSubsystem' | 'Power';
  /** Seconds that a value averages, and from one new value to the next. */
  readonly lagS?: number;
  /** Whether its sensor tells how it averages. */
  readonly sensor?: boolean;
  /** Number of questions after which a session expires. */
  readonly sessionUses?: number;
  readonly chassis?: readonly string[];
  readonly vendor?: string;
  readonly password?: string;
  /** Whether the value is null. */
  readonly blank?: boolean;
  /** Whether it is a rack's PDU, with the outlets A1 and A2. */
  readonly pdu?: boolean;
  /** What the sensors of a PDU's outlets tell of their time: when a reading was taken, or how often one is. */
  readonly timing?: 'ReadingTime' | 'SensingInterval' | 'nothing';
  /** Whether outlets only link to their sensors, and hold no values. */
  readonly linked?: boolean;
}

const REPLY_MS: readonly [number, number] = [50, 600];
export const [USER, PASSWORD, VARIABLE] = ['reader', 'p4ss-of-an-emulator', 'JOULEDIFF_EMULATED_PASSWORD'];
const SESSIONS = '/redfish/v1/SessionService/Sessions';

/** A server's management controller as its socket shows it (DMTF schemas as of bmcweb 7debb89). */
export class RedfishEmulator implements EmulatedDevice {
  readonly #settings: EmulatorSettings;
  readonly #traits: Required<RedfishTraits>;
  readonly #register: EnergyRegister;
  readonly #sessions = new Map<string, { token: string; left: number }>();
  #replies = 0;
  #count = 0;
  /** Number of sessions that were opened, and of questions that would have changed something. */
  opened = 0;
  harmed = 0;
  /** Moment from which the PDU's readings stand still. */
  frozenNs: bigint | null = null;
  /** Serial number of a PDU, or of each chassis; null: the usual ones. */
  serial: string | null = null;
  powerState = 'On';
  readonly secure = true;
  readonly login = { options: { user: USER, 'password-env': VARIABLE }, env: { [VARIABLE]: PASSWORD } };

  constructor(settings: EmulatorSettings, traits: RedfishTraits = {}) {
    this.#settings = settings;
    this.#register = new EnergyRegister(settings, settings.originNs);
    this.#traits = {
      form: 'EnvironmentMetrics',
      lagS: 1,
      sensor: true,
      sessionUses: 1e6,
      chassis: ['1'],
      vendor: 'OpenBMC',
      password: PASSWORD,
      blank: false,
      pdu: false,
      timing: 'ReadingTime',
      linked: false,
      ...traits,
    };
  }

  get place(): string {
    return this.#traits.pdu ? '/1/A1' : '';
  }

  /** Sessions that are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  delayMs(): number {
    const [least, most] = REPLY_MS;
    return least + randomUnit(this.#settings.seed + 7, this.#replies++) * (most - least);
  }

  answer({ method, path, headers, body = '' }: DeviceQuestion, nowNs: bigint): DeviceAnswer {
    if (method === 'GET' && path === '/redfish/v1/')
      return json({ RedfishVersion: '1.17.0', Vendor: this.#traits.vendor, Oem: { joulediff: { emulated: true } } });
    if (method === 'POST' && path === SESSIONS) return this.#login(body);
    const session = [...this.#sessions].find(([, { token }]) => token === headers['x-auth-token']);
    if (session === undefined) return { status: 401, body: '{"error":{}}' };
    const [place, state] = session;
    if (method === 'DELETE' && path === place) {
      this.#sessions.delete(place);
      return { status: 204, body: '' };
    }
    if (method !== 'GET') {
      this.harmed += 1;
      return { status: 405, body: '' };
    }
    state.left -= 1;
    if (state.left <= 0) this.#sessions.delete(place);
    const document = (this.#traits.pdu ? this.#outlets(this.frozenNs ?? nowNs) : this.#documents(nowNs))[path];
    return document === undefined ? { status: 404, body: '{"error":{}}' } : json(document);
  }

  #login(body: string): DeviceAnswer {
    const { UserName, Password } = JSON.parse(body) as Record<string, unknown>;
    if (UserName !== USER || Password !== this.#traits.password) return { status: 401, body: '{"error":{}}' };
    this.opened += 1;
    const place = `${SESSIONS}/${++this.#count}`;
    const token = `token-${this.#count}`;
    this.#sessions.set(place, { token, left: this.#traits.sessionUses });
    // Some controllers give a path, others an address with a host, which must never be asked.
    const location = this.#count % 2 === 0 ? place : `https://elsewhere.example${place}`;
    return { status: 201, headers: { 'x-auth-token': token, location }, body: '{}' };
  }

  /** A rack's PDU as DMTF's mock-ups show it (DSP2043); what hangs on A1 is metered, and nothing hangs on A2. */
  #outlets(nowNs: bigint): Record<string, unknown> {
    const { lagS, timing, linked, blank } = this.#traits;
    const { originNs } = this.#settings;
    const lagNs = BigInt(Math.round(lagS * 1e9));
    const shownNs = nowNs - ((nowNs - originNs) % lagNs);
    const watts = this.#settings.energyJ(shownNs - lagNs, shownNs) / lagS;
    const kWh = Math.floor(this.#register.untilJ(shownNs) / 3600 + 36_166_000) / 1000;
    const own = '/redfish/v1/PowerEquipment/RackPDUs/1';
    const link = (path: string) => ({ '@odata.id': path });
    const documents: Record<string, unknown> = {
      '/redfish/v1/PowerEquipment/RackPDUs': { Members: [link(own)] },
      [own]: {
        Manufacturer: 'Contoso',
        Model: 'ZAP4000',
        SerialNumber: this.serial ?? '29347ZT536',
        Outlets: link(`${own}/Outlets`),
      },
      [`${own}/Outlets`]: { Members: ['A1', 'A2'].map((id) => link(`${own}/Outlets/${id}`)) },
    };
    for (const [id, powerW] of [
      ['A1', Math.round(10 * watts) / 10],
      ['A2', 0],
    ] as const) {
      const value = (name: string, Reading: number | null) => {
        const sensor = `${own}/Sensors/${name}${id}`;
        return linked ? link(sensor) : { DataSourceUri: sensor, Reading };
      };
      documents[`${own}/Outlets/${id}`] = {
        Id: id,
        PowerState: this.powerState,
        ElectricalContext: 'Line1ToNeutral',
        Voltage: value('Voltage', 230.5),
        CurrentAmps: value('Current', Math.round(powerW / 2.305) / 100),
        PowerWatts: value('Power', blank ? null : powerW),
        EnergykWh: value('Energy', kWh),
      };
      documents[`${own}/Sensors/Power${id}`] = {
        Reading: blank ? null : powerW,
        Accuracy: 1,
        ...(timing === 'SensingInterval' && { SensingInterval: `PT${lagS}S` }),
        ...(timing === 'ReadingTime' && { ReadingTime: new Date(Number(shownNs / 1_000_000n)).toISOString() }),
      };
    }
    return documents;
  }

  #documents(nowNs: bigint): Record<string, unknown> {
    const { form, lagS, sensor, chassis, blank } = this.#traits;
    const averaging = { averageS: lagS, refreshS: lagS, lagNs: 0n, originNs: this.#settings.originNs };
    const powerW = averagedPowerW(this.#settings, averaging, nowNs);
    const watts = blank ? null : Math.round(powerW);
    const at = (id: string) => `/redfish/v1/Chassis/${id}`;
    const link = (path: string) => ({ '@odata.id': path });
    const documents: Record<string, unknown> = {
      '/redfish/v1/Chassis': { Members: chassis.map((id) => link(at(id))) },
    };
    for (const id of chassis) {
      const own = at(id);
      documents[own] = {
        Manufacturer: 'ACME',
        Model: 'S1',
        SerialNumber: this.serial ?? `SN${id}`,
        ...(form === 'EnvironmentMetrics' && { EnvironmentMetrics: link(`${own}/EnvironmentMetrics`) }),
        ...(form === 'PowerSubsystem' && { PowerSubsystem: link(`${own}/PowerSubsystem`) }),
        Power: link(`${own}/Power`),
      };
      documents[`${own}/EnvironmentMetrics`] = {
        PowerWatts: { Reading: watts, ...(sensor && { DataSourceUri: `${own}/Sensors/total_power` }) },
      };
      documents[`${own}/Sensors/total_power`] = { Reading: watts, AveragingInterval: `PT${lagS}S`, Accuracy: 2 };
      documents[`${own}/PowerSubsystem`] = { PowerSupplies: link(`${own}/PowerSubsystem/PowerSupplies`) };
      const supplies = [0, 1].map((n) => `${own}/PowerSubsystem/PowerSupplies/${n}`);
      documents[`${own}/PowerSubsystem/PowerSupplies`] = { Members: supplies.map(link) };
      for (const [n, supply] of supplies.entries()) {
        documents[supply] = { Metrics: link(`${supply}/Metrics`) };
        const half = n === 0 ? Math.floor(powerW / 2) : Math.round(powerW) - Math.floor(powerW / 2);
        documents[`${supply}/Metrics`] = { InputPowerWatts: { Reading: blank ? null : half } };
      }
      documents[`${own}/Power`] = {
        PowerControl: [
          {
            PowerConsumedWatts: watts,
            PowerMetrics: {
              AverageConsumedWatts: watts,
              IntervalInMin: 1,
              MaxConsumedWatts: 415,
              MinConsumedWatts: 38,
            },
          },
        ],
      };
    }
    return documents;
  }
}

const json = (value: unknown): DeviceAnswer => ({ status: 200, body: JSON.stringify(value) });
