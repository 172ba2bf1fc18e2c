// Class: system.
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { Description } from '../../../../src/meters/described/description.ts';
import { emulateDescribed } from '../../../../src/meters/described/emulator.ts';
import { runEmulator } from '../../../../src/meters/emulator/emulator.ts';
import type { EmulatedDevice } from '../../../../src/meters/emulator/http-device.ts';
import { PzemEmulator } from '../../../../src/meters/pzem-004t/emulator.ts';
import { Sdm120Emulator } from '../../../../src/meters/sdm120/emulator.ts';
import { ShellyEmulator } from '../../../../src/meters/shelly/emulator.ts';
import { openEar } from '../../../../src/parts/bench/tools/hear.ts';
import { checkMarks, type Marked, propose } from '../../../../src/parts/bench/tools/learn.ts';
import { rejection } from '../../../meters/collect.ts';
import { World } from '../../../meters/network/runs.ts';

const PORT = '/dev/virtual';
const OPTIONS = { bauds: [9600, 2400], ask: null };

/** What is learned of a meter at 40 W, at 90 W and at 40 W again. */
async function learned(world: World, place: string, options: Parameters<typeof openEar>[1] = OPTIONS) {
  return world.run(async () => {
    const ear = await openEar(place, options, world.host);
    const marked: Marked[] = [];
    for (const on of [false, true, false]) {
      world.load.switch({ tNs: world.host.clock.nowNs(), on });
      await ear.listen(4);
      marked.push({ watts: on ? 90 : 40, heard: await ear.listen(5) });
    }
    await ear.close();
    return { keys: ear.keys, proposal: propose(marked, ear.framing) };
  });
}

const wired = (make: (world: World) => Parameters<typeof runEmulator>[0], noiseW = 0): World => {
  const world = new World({ noiseW });
  runEmulator(make(world), world.host.wire(PORT), world.host.clock);
  return world;
};

const describedBy = (text: string): Description =>
  Description.parse({ name: 'x', serial: { baud: 9600 }, ...parse(text) });

describe('a meter that is learned', () => {
  it('by Modbus registers of whole numbers', async () => {
    const { keys, proposal } = await learned(
      wired(({ settings }) => new PzemEmulator(settings)),
      PORT,
    );
    expect(keys).toEqual({ serial: { baud: 9600 } });
    expect(proposal).toMatchObject({
      framing: { modbus: { unit: 1, registers: 'input', address: 0, count: 10 } },
      power: { at: 3, type: 'uint16', scale: 0.1 },
      marks: [
        { watts: 40, read: 40 },
        { watts: 90, read: 90 },
        { watts: 40, read: 40 },
      ],
    });
  });

  it('by Modbus registers of floats', async () => {
    const { proposal } = await learned(
      wired(({ settings }) => new Sdm120Emulator(settings)),
      PORT,
    );
    expect(proposal).toMatchObject({ power: { at: 12, type: 'float32', order: 'high-first', scale: 1 } });
  });

  it.each([
    [
      'lines',
      'line: { separator: ";" }\nchecks: { voltage: { at: 0, between: [220, 240] } }\npower: { at: 2, unit: mW }',
      { framing: { line: { separator: ';' } }, power: { at: 2, scale: 0.001 } },
    ],
    [
      'documents',
      'json: {}\nchecks: { voltage: { at: /v, between: [220, 240] } }\npower: { at: /a~1b/0/power, unit: W }',
      { framing: { json: {} }, power: { at: '/a~1b/0/power', scale: 1 } },
    ],
    [
      'records with a checksum',
      'record: { starts: a5 5a, length: 11, checksum: { type: xor8 } }\nchecks: { voltage: { at: 2, between: [229, 231] } }\npower: { at: 5, type: uint16, order: low-first, scale: 0.01, unit: W }',
      {
        framing: { record: { length: 11, checksum: { type: 'xor8' } } },
        power: { at: 5, order: 'low-first', scale: 0.01 },
      },
    ],
  ])('by %s', async (_, text, found) => {
    const about = describedBy(text);
    const world = wired(({ settings }) => {
      const meter = emulateDescribed(about, settings) as Parameters<typeof runEmulator>[0];
      // A real meter does not say that it is emulated.
      const record = () =>
        Buffer.from(meter.record() as string, 'latin1')
          .toString('latin1')
          .replace(/joulediff emulator\n?/, '');
      return { receive: meter.receive.bind(meter), dueNs: meter.dueNs.bind(meter), record };
    }, 0.5);
    const { proposal } = await learned(world, PORT);
    expect(proposal).toMatchObject(found);
    expect(proposal?.error).toBeLessThan(0.02);
  });

  it('by a question', async () => {
    const about = describedBy('request: { text: "P?\\n" }\nline: { separator: " " }\npower: { at: 0, unit: W }');
    const world = wired(({ settings }) => emulateDescribed(about, settings) as Parameters<typeof runEmulator>[0]);
    const { keys, proposal } = await learned(world, PORT, { bauds: [9600], ask: 'P?\n' });
    expect(keys).toEqual({ serial: { baud: 9600 }, request: { text: 'P?\n' } });
    expect(proposal?.marks.map(({ read }) => read)).toEqual([40, 90, 40]);
  });

  it('by the JSON of an address', async () => {
    const world = new World();
    world.host.serve('plug.lan', new ShellyEmulator(world.settings) as EmulatedDevice);
    const { keys, proposal } = await learned(world, 'http://plug.lan/rpc/Switch.GetStatus?id=0');
    expect(keys).toEqual({ http: { path: '/rpc/Switch.GetStatus?id=0' }, address: 'plug.lan' });
    expect(proposal).toMatchObject({ framing: { json: {} }, power: { at: '/apower', scale: 1 } });
  });

  it.each([
    ['nothing is heard', '', /^At \/dev\/virtual nothing was heard\.$/],
    ['nothing makes sense', '\u0000\xff\u0001', /^At \/dev\/virtual what was heard makes no sense: "\\x00\\xff\\x01/],
  ])('is none where %s', async (_, sent, reported) => {
    const world = new World();
    const far = world.host.wire(PORT);
    const error = await world.run(async () => {
      if (sent !== '')
        for (let i = 0; i < 100; i++) world.host.clock.after(i * 333, () => far.write(Buffer.from(sent, 'latin1')));
      return rejection(openEar(PORT, OPTIONS, world.host));
    });
    expect(error.message).toMatch(reported);
  });

  it('by lines that write decimals after a comma, to the last of them', () => {
    const heard = (watts: string) => ({ bytes: Buffer.from(`${watts};230,1\r\n`.repeat(4)) });
    const found = propose([
      { watts: 0, heard: heard('0,0') },
      { watts: 60.9, heard: heard('60,9') },
    ]);
    expect(found).toMatchObject({ framing: { line: { separator: ';' } }, power: { at: 0, scale: 1 }, error: 0 });
  });

  it('is none where no number follows the powers', () => {
    const heard = { frames: [{ kind: 'columns', columns: ['230', '5'] }] } as const;
    expect(
      propose(
        [
          { watts: 0, heard },
          { watts: 60, heard },
        ],
        { line: { separator: ',', starts: '' } },
      ),
    ).toBeNull();
  });

  it('needs two powers that differ', () => {
    const heard = { bytes: new Uint8Array() };
    for (const watts of [[], [60], [60, 60, 62]]) {
      expect(() => checkMarks(watts.map((one) => ({ watts: one, heard })))).toThrow('none of them 5 W from another');
    }
    expect(() => checkMarks([0, 60].map((one) => ({ watts: one, heard })))).not.toThrow();
  });
});
