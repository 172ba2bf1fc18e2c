// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { main } from '../../../../src/cli.ts';
import { pmic } from '../../../../src/meters/pmic/pmic.ts';
import { answerOf, responder } from '../../../meters/mdns/responder.ts';
import { start } from '../../../terminal/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-list-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = { JOULEDIFF_SERIAL_PORTS: folder, JOULEDIFF_POWERCAP_ROOT: folder, NO_COLOR: '1' };

describe('joulediff meter list', () => {
  it('lists every kind of meter at 80 columns, and how each is named', async () => {
    const { code, stdout, stderr } = await start(['meter', 'list'], env).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const heads = stdout.split('\n').filter((line) => /^\S/.test(line));
    expect(heads).toEqual([
      'Serial ports',
      'Sensors of this machine (hwmon)',
      `RAPL, the processor's own counters (${folder})`,
      'In the network, where joulediff looks only when you name them',
      'Without a meter',
    ]);
    for (const line of stdout.replaceAll(folder, '').split('\n'))
      if (line.includes('--meter')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('asks the network when it is told to, says so, and shows no more of a name than can be seen', async () => {
    const shelly = { service: '_shelly._tcp.local', name: 'shellyplugsg3-1\x1b[2J', port: 80 };
    const tasmota = { service: '_http._tcp.local', name: 'desk.plug', port: 8080, texts: ['devicetype=tasmota'] };
    const other = { service: '_http._tcp.local', name: 'printer', port: 80 };
    const { at, asked, socket } = await responder([...[shelly, tasmota, other].map(answerOf), Buffer.from('rubbish')]);
    const { code, stdout, stderr } = await start(['meter', 'list', '--network'], { ...env, JOULEDIFF_MDNS: at }).ended;
    socket.close();
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Asking the local network by mDNS, which every machine in it can hear.\n',
    });
    expect(asked).toHaveLength(1);
    expect(stdout).toContain(
      [
        'In the network, as answered by mDNS',
        '  --meter shelly:127.0.0.1 (shellyplugsg3-1 [2J)',
        '  --meter tasmota:127.0.0.1:8080 (desk.plug)',
        '',
      ].join('\n'),
    );
    expect(stdout).not.toMatch(/printer|\x1b/);
  });

  it('says what each of them is that a type finds by itself: of a Raspberry Pi 5, a sum of rails', async () => {
    const found = jest.spyOn(pmic, 'found').mockReturnValue(['pmic']);
    const said: string[] = [];
    const stream = { write: (text: string) => said.push(text) };
    await main(['meter', 'list'], { stdout: stream, stderr: stream });
    found.mockRestore();
    expect(said.join('')).toContain('  --meter pmic\n    Raspberry Pi 5: a sum of rails, not its 5 V input\n');
  });

  it('gives the same as JSON', async () => {
    const { code, stdout } = await start(['meter', 'list', '--json'], env).ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'joulediff/terminal/1',
      command: 'meter list',
      serial_ports: [],
      sensors: expect.any(Array),
      rapl: { usable: false },
      network: null,
    });
  });
});
