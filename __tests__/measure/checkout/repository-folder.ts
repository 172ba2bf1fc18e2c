import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Not the one that a test gives the program meanwhile, to see what is left in it. */
const PLACE = tmpdir();

/** Real repositories, whatever is configured on the machine. */
export class TestRepository {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static create(): TestRepository {
    const made = new TestRepository(mkdtempSync(join(PLACE, 'joulediff-repository-')));
    made.git('init', '--quiet', '--initial-branch=main');
    return made;
  }

  git(...words: string[]): string {
    return gitIn(this.path, ...words);
  }

  write(name: string, text: string, mode = 0o644): this {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
    return this;
  }

  /** Commits everything and gives the commit. */
  commit(message = 'change'): string {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export function gitIn(folder: string, ...words: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'protocol.file.allow=always'];
  const done = spawnSync('git', ['-C', folder, ...identity, ...words], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`git ${words.join(' ')}: ${done.stderr}`);
  return done.stdout.trim();
}
