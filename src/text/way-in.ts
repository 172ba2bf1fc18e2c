import { shellWord } from './shell.ts';

/** How this process was started, and where the experiment's keys were written: advice to the user is worded accordingly. */
interface WayIn {
  /** How an experiment that ended early is continued: by `--resume`, by the same command, or not at all, in a job of the action. */
  readonly goesOn: 'resume' | 'again' | 'job';
  /** Where keys of the experiment were written. */
  readonly keys: 'file' | 'options' | 'inputs';
}

let way: WayIn = { goesOn: 'resume', keys: 'file' };

/** Sets the way for the whole process, which measures one experiment. */
export function cameBy(given: Partial<WayIn>): void {
  way = { ...way, ...given };
}

/** How a key is written: `on-busy.wait=2h` in the input set. */
export function keyWords(path: readonly string[], value: string): string {
  const [first = '', ...rest] = path;
  switch (way.keys) {
    case 'file':
      return `\`${first}: ${rest.reduceRight((inner, key) => `{ ${key}: ${inner} }`, value)}\` in the experiment file`;
    case 'options':
      return `\`--set ${path.join('.')}=${value}\``;
    case 'inputs':
      return `\`${path.join('.')}=${value}\` in the input \`set\``;
  }
}

/** How keys of one variant are written, whose path is `variants.alpine`. */
export function variantKeyWords(variant: string, keys: Readonly<Record<string, string>>): string {
  const written = Object.entries(keys);
  const settings = written.map(([key, value]) => `${variant}.${key}=${value}`);
  switch (way.keys) {
    case 'file':
      return `${written.map(([key, value]) => `\`${key}: ${value}\``).join(' and ')} in its variant`;
    case 'options':
      return `\`${settings.map((setting) => `--set ${shellWord(setting)}`).join(' ')}\``;
    case 'inputs':
      return `${settings.map((setting) => `\`${setting}\``).join(' and ')} in the input \`set\``;
  }
}

/** Advice for continuing an experiment that ended early, as the end of a sentence. */
export const goOnWords = (): string =>
  ({
    resume: '`--resume` continues from there',
    again: 'the same command continues from there',
    job: 'run the job again, which measures all of it',
  })[way.goesOn];

export const goesOn = (): WayIn['goesOn'] => way.goesOn;
