// Class: world.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Explanation } from '../../src/findings/explain.ts';
import type { Findings } from '../../src/findings/findings.ts';
import { canLook } from '../parts/explain/observers/can-look.ts';
import { perfForFunctions } from '../parts/explain/observers/perf-for-functions.ts';
import { busyboxContext, docker, experimentFile, joulediff, temporaryFolder } from './program.ts';

// From joules to the experiment that could show a cause: real containers are looked at, confirm.yml is read again, planned, and run. One ingredient goes the
// whole way, since observing runs takes the better part of a minute; that of the C library is offered for examples/redis-libc, those of volumes and filters
// for what real runs told (report/confirm.test.ts).

const IMAGE = `joulediff-test:confirm-${process.pid}`;
const folder = temporaryFolder();

/** The address of this machine in the network that containers are in without being asked: an engine that has just made that network tells it to them alone. */
function gateway(): string {
  const routes = docker('run', '--rm', '--network', 'bridge', IMAGE, 'busybox', 'ip', 'route');
  const [, address = ''] = /^default via (\S+)/m.exec(routes) ?? [];
  expect(address).not.toBe('');
  return address;
}

const FEW = ['repetitions=1', 'warmup.runs=0', 'rest=0s', 'guard=0s'].flatMap((setting) => ['--set', setting]);
const json = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

const describeLooking = canLook() ? describe : describe.skip;

describeLooking('the confirming experiment', () => {
  let path = '';
  beforeAll(() => {
    docker('build', '--quiet', '--tag', IMAGE, busyboxContext(join(folder.path, 'image')));
    path = perfForFunctions(join(folder.path, 'bin'));
  });
  afterAll(() => folder.remove());

  it("with the host's network is offered, planned and run, and its result names this alone", async () => {
    const own = join(folder.path, 'own');
    mkdirSync(own);
    const out = join(own, 'out');
    const file = experimentFile(own, {
      name: 'packets',
      workload: { run: ['busybox', 'ping', '-A', '-q', '-c', '1500', '-s', '60000', gateway()] },
      variants: { native: {}, inside: { image: IMAGE, pull: 'never', network: 'bridge' } },
      meter: 'estimate',
      batch: 1,
    });
    const call = async (...words: string[]) => {
      const { code, stdout, stderr } = await joulediff(words, {
        env: { PATH: path },
      });
      expect({ words, code, stderr }).toMatchObject({ code: 0 });
      return stdout;
    };
    const isOffered = (): boolean => existsSync(join(out, 'confirm.yml'));
    await call('run', file, '--out', out, ...FEW);
    // What else goes on here may hide a difference in a few runs.
    for (let rounds = 4; rounds < 17 && !isOffered(); rounds *= 2) {
      await call('explain', file, '--out', out, '--no-trace', '--rounds', String(rounds), ...FEW);
    }
    const { lines } = json<Explanation>(join(out, 'explain.json'));
    expect({ lines, isOffered: isOffered() }).toMatchObject({ isOffered: true });
    const text = readFileSync(join(out, 'confirm.yml'), 'utf8');
    expect(Object.keys(parse(text).variants)).toEqual(['as-it-is', 'host-network']);
    expect(parse(text).variants['host-network']).toMatchObject({ network: 'host' });

    // As its reader would take it, beside what it names.
    const confirm = join(own, 'confirm.yml');
    writeFileSync(confirm, text);
    const planned = await call('plan', '--order', confirm, ...FEW);
    expect(planned.match(/^fail .*/gm)).toBeNull();
    expect(planned).toMatch(/^block 1 .*\bhost-network\b/m);
    const reported = await call('run', confirm, '--out', join(own, 'confirmed'), ...FEW);
    expect(reported).toContain('host-network');
    const { fairness } = json<Findings>(join(own, 'confirmed', 'findings.json'));
    expect(fairness?.pairs.map(({ differences }) => differences)).toEqual([
      [expect.objectContaining({ aspect: 'network', baseline: 'bridge', variant: 'host', weight: 'asked' })],
    ]);
  }, 300_000);
});
