import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RANGE_UJ = 262_143_328_850n;

/** A powercap tree as `?root=` takes it: zone folders with their names and counters, and the machine's packages under `cpu`. */
export class PowercapTree {
  readonly root = mkdtempSync(join(tmpdir(), 'joulediff-powercap-'));

  zone(folder: string, name: string, energyUj = 0n, maximumUj = RANGE_UJ): this {
    mkdirSync(join(this.root, folder), { recursive: true });
    writeFileSync(join(this.root, folder, 'name'), `${name}\n`);
    writeFileSync(join(this.root, folder, 'max_energy_range_uj'), `${maximumUj}\n`);
    return this.set(folder, energyUj);
  }

  set(folder: string, energyUj: bigint): this {
    writeFileSync(join(this.root, folder, 'energy_uj'), `${energyUj}\n`);
    return this;
  }

  /** One logical processor a package. */
  packages(...ids: number[]): this {
    for (const [index, id] of ids.entries()) {
      const folder = join(this.root, 'cpu', `cpu${index}`, 'topology');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'physical_package_id'), `${id}\n`);
    }
    return this;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
