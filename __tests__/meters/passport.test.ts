// Class: system.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MeterInfo } from '../../src/contracts/reading.ts';
import { MeasureError } from '../../src/errors.ts';
import type { Passport } from '../../src/findings/passport.ts';
import { passportPath, readPassport, writePassport } from '../../src/meters/passport.ts';
import { passport as anyPassport } from '../findings/passport.ts';

const info: MeterInfo = {
  type: 'pzem-004t',
  address: '/dev/serial/by-id/usb-1a86',
  source: 'measured',
  identity: { unit: 1, voltageV: 230.1, frequencyHz: 50 },
  accuracy: null,
  minimumGuardS: 3,
  channels: [{ channel: 'wall', integration: 'guard', samplingPeriodS: 1, clock: 'host' }],
  remarks: [],
};

const passport: Passport = {
  ...anyPassport,
  host: hostname(),
  type: info.type,
  address: info.address,
  identity: info.identity,
};

let folder: string;
const environment = { ...process.env };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-state-'));
  process.env.XDG_STATE_HOME = folder;
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  process.env = { ...environment };
});

describe('the passport of a meter', () => {
  it('is kept and read again, the newest one', async () => {
    expect(readPassport(info)).toBeNull();
    await writePassport(info, { ...passport, readings: 1 });
    const path = await writePassport(info, passport);
    expect(dirname(path)).toBe(join(folder, 'joulediff', 'meters'));
    expect(path).toMatch(/\/pzem-004t-[0-9a-f]{16}\.json$/);
    expect(readdirSync(dirname(path))).toHaveLength(1);
    expect(readPassport(info)).toEqual(passport);
  });

  it('is found again whatever the mains’ voltage is, and not for another meter or port', async () => {
    await writePassport(info, passport);
    expect(
      readPassport({ ...info, identity: { ...info.identity, voltageV: 228.7, frequencyHz: 49.9 } }),
    ).not.toBeNull();
    expect(readPassport({ ...info, identity: { ...info.identity, unit: 2 } })).toBeNull();
    expect(readPassport({ ...info, address: '/dev/serial/by-id/other' })).toBeNull();
    expect(readPassport({ ...info, type: 'sdm120' })).toBeNull();
    expect(readPassport({ ...info, source: 'emulated' })).toBeNull();
  });

  it('is of one machine only', async () => {
    await writePassport(info, { ...passport, host: `${hostname()}-other` });
    expect(readPassport(info)).toBeNull();
  });

  it.each(['', '{', '{"schema":"joulediff/passport/2"}', '[]'])('is none when its file holds %j', (text) => {
    mkdirSync(dirname(passportPath(info)), { recursive: true });
    writeFileSync(passportPath(info), text);
    expect(readPassport(info)).toBeNull();
  });

  it('goes into the home folder without XDG_STATE_HOME, or with one that is not absolute', () => {
    const usual = join(homedir(), '.local', 'state', 'joulediff', 'meters');
    process.env.XDG_STATE_HOME = 'state';
    expect(dirname(passportPath(info))).toBe(usual);
    delete process.env.XDG_STATE_HOME;
    expect(dirname(passportPath(info))).toBe(usual);
  });

  it('says what to do when it can’t be kept', async () => {
    process.env.XDG_STATE_HOME = join(folder, 'file');
    writeFileSync(join(folder, 'file'), '');
    await expect(writePassport(info, passport)).rejects.toThrow(MeasureError);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('');
  });
});
