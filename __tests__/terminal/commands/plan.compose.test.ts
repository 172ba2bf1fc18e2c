// Class: world, compose, long.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { useCompose, withCompose } from '../../executors/compose/plugin.ts';
import { start } from '../program.ts';

withCompose('a Compose file that can’t be used as it is', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'joulediff-plan-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  useCompose();

  it('is told with a line for each thing that is in the way', async () => {
    const web = { image: 'web', privileged: true, pid: 'host' };
    writeFileSync(join(folder, 'compose.yml'), JSON.stringify({ services: { web } }));
    const variants = { native: {}, place: { compose: { service: 'web' } } };
    const experiment = { workload: { run: 'true' }, variants, meter: 'estimate' };
    writeFileSync(join(folder, 'joulediff.yml'), JSON.stringify(experiment));
    const { code, stdout } = await start(['plan'], { DOCKER_CONFIG: process.env.DOCKER_CONFIG }, folder).ended;
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /^fail {2}variant place: compose\.yml .* can't be used as it is:\n {8}services\.web\.pid: .*\n {8}services\.web\.privileged: /m,
    );
  });
});
