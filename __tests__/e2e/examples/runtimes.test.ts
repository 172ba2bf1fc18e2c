// Class: world, long.
import { spawnSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { docker, temporaryFolder } from '../program.ts';
import { describeExample, EXAMPLES } from './example.ts';

// What Python compiled is used only while its source has the time that it had then: with new times, each start compiles the library again.
it('an image of this machine’s programs has its files with their times, and runs the programs themselves', () => {
  const folder = temporaryFolder();
  const library = `${folder.path}/library`;
  const tag = `joulediff-test-times:${process.pid}`;
  mkdirSync(library);
  writeFileSync(`${library}/module.py`, '');
  utimesSync(`${library}/module.py`, 1_700_000_000, 1_700_000_000);
  const words = [tag, library, 'gzip'];
  const { status, stderr } = spawnSync(`${EXAMPLES}/image-of-programs.sh`, words, { encoding: 'utf8' });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  try {
    expect(docker('run', '--rm', '--network', 'none', tag, 'stat', '-c', '%Y', `${library}/module.py`)).toBe(
      '1700000000',
    );
    // BusyBox's shell would take its own gzip.
    const version = docker('run', '--rm', '--network', 'none', tag, 'sh', '-c', 'gzip --version');
    expect(version).toBe(spawnSync('gzip', ['--version'], { encoding: 'utf8' }).stdout.trim());
  } finally {
    docker('rmi', '-f', tag);
    folder.remove();
  }
});

describeExample('javac', { programs: ['java'], small: ['workload.env.CLASSES=2'] }, (runs) => {
  expect(runs.map((run) => [run.variant, run.metric_classes]).sort()).toEqual([
    ['container', '2'],
    ['container-1g', '2'],
    ['native', '2'],
  ]);
});

const ONE_VALUE = ['BENCHMARKS=nbody', 'LOOPS=1', 'VALUES=1'].map((size) => `workload.env.${size}`);
describeExample(
  'pyperformance',
  { programs: ['/usr/bin/python3'], fetch: './packages.sh', small: ONE_VALUE },
  (runs) => {
    expect(runs.map(({ variant }) => variant).sort()).toEqual(['container', 'native']);
    for (const run of runs) expect(Number(run.metric_nbody)).toBeGreaterThan(0);
  },
);
