import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MachineFiles } from '../../src/machine/files.ts';

/** A machine of files, by their paths below the root; `link:` begins where a link leads. */
export class LaidMachine implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'joulediff-machine-'));
  readonly files = new MachineFiles(this.root);

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.lay(files);
  }

  lay(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      if (text.startsWith('link:')) symlinkSync(text.slice('link:'.length), join(this.root, path));
      else writeFileSync(join(this.root, path), text);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true });
  }
}
