import { LoadMeter } from '../machine/busy.ts';
import { MachineFiles } from '../machine/files.ts';
import { hottestC, policies, temperatureSensors } from '../machine/processors.ts';
import type { MachineState } from '../store/records.ts';

/** Reads the state of the machine before each run. Finds its files once, so that a reading costs well below a millisecond. */
export class MachineSensors {
  readonly #files: MachineFiles;
  readonly #governors: readonly string[];
  readonly #temperatures: readonly string[];
  readonly #load: LoadMeter;

  /** `root` is another place of /sys and /proc, for tests. */
  constructor(root = '/') {
    this.#files = new MachineFiles(root);
    this.#load = new LoadMeter(this.#files);
    this.#governors = policies(this.#files).map((policy) => `${policy}/scaling_governor`);
    this.#temperatures = temperatureSensors(this.#files);
  }

  /** Begins to measure the load. */
  begin(): void {
    this.#load.begin();
  }

  /** The state now, with the load since `begin`. Whatever can't be read is null; never throws. */
  read(): MachineState {
    const governors = [...new Set(this.#governors.flatMap((file) => this.#files.text(file) ?? []))].sort();
    return {
      governor: governors.length === 0 ? null : governors.join(', '),
      temperatureC: hottestC(this.#files, this.#temperatures),
      load: this.#load.processors(),
    };
  }
}
