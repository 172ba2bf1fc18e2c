/** How the experiment of this process was given, and where: advice is told in the words of that way. */
interface WayIn {
  /** The action of a workflow; a terminal has options that it lacks. */
  readonly isAction: boolean;
  /** Where keys of the experiment were written. */
  readonly keys: 'file' | 'options' | 'inputs';
}

let way: WayIn = { isAction: false, keys: 'file' };

/** Sets it for this process, which measures one experiment. */
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

/** How an experiment that ended early is gone on with: the end of a sentence. */
export const goOnWords = (): string =>
  way.isAction ? 'run the job again, which measures all of it' : '`--resume` goes on with it';

/** Whether this process can go on with an experiment that ended early. */
export const canGoOn = (): boolean => !way.isAction;
