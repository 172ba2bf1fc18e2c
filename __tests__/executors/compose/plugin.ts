import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
// @ts-expect-error -- what sets the tests up is plain JavaScript.
import { builtCompose } from '../../setup/compose.mjs';

const plugin: string | null = process.env.JOULEDIFF_TEST_COMPOSE || builtCompose();

/** Runs where there is the Compose of the tests, and is skipped by name elsewhere: npm test builds it. */
export const withCompose = plugin === null ? describe.skip : describe;

/** Docker's client finds Compose while the tests of this file run; `lacking`: it finds none; `told`: one that says no more than that it is this version. */
export function useCompose({ lacking = false, reported = '' } = {}): void {
  const before = process.env.DOCKER_CONFIG;
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'joulediff-docker-config-'));
    mkdirSync(join(folder, 'cli-plugins'));
    const link = join(folder, 'cli-plugins', 'docker-compose');
    // It comes before one of the machine's own, which must not stand in for it.
    const metadata = JSON.stringify({ SchemaVersion: '0.1.0', Vendor: 'joulediff', Version: reported });
    const old = `#!/bin/sh\ncase $1 in docker-cli-plugin-metadata) echo '${metadata}' ;; *) echo ${reported} ;; esac\n`;
    if (lacking || reported !== '') writeFileSync(link, lacking ? '#!/bin/sh\nexit 1\n' : old, { mode: 0o755 });
    else if (plugin !== null) symlinkSync(join(plugin, 'docker-compose'), link);
    process.env.DOCKER_CONFIG = folder;
  });
  afterAll(() => {
    if (before === undefined) delete process.env.DOCKER_CONFIG;
    else process.env.DOCKER_CONFIG = before;
    rmSync(folder, { recursive: true, force: true });
  });
}

/** The program itself. */
export const composeProgram = (): string => join(plugin ?? '', 'docker-compose');
