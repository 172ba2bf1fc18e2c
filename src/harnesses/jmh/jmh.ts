import { InputError } from '../../errors.ts';
import { plain } from '../../text/plain.ts';
import { shellWord } from '../../text/shell.ts';
import { exactly, type Harness, sumOfTimes } from '../harness.ts';

/** Upper bound on the characters of all names: a few parameters with many values would make more names than memory holds. */
const MAX_CHARACTERS = 2 ** 22;

const java = (target: string): string => `java -jar ${shellWord(target)}`;

/** All combinations of a benchmark's parameters, each as `[size=1,kind=a]`; one empty string if it has none. */
function combinations(parameters: readonly (readonly [string, readonly string[]])[]): string[] {
  const all = parameters.reduce<readonly string[]>(
    (made, [name, values]) => made.flatMap((one) => values.map((value) => `${one}${one && ','}${name}=${value}`)),
    [''],
  );
  return all.map((one) => one && `[${one}]`);
}

function namesIn(output: string): string[] {
  const found: { readonly name: string; readonly parameters: [string, string[]][] }[] = [];
  for (const line of output.split('\n')) {
    if (/^[\w$]+(?:\.[\w$]+)+$/.test(line)) found.push({ name: line, parameters: [] });
    const [, parameter, values] = /^ {2}param "([^"]*)" = \{(.*)\}$/.exec(line) ?? [];
    if (parameter !== undefined) found.at(-1)?.parameters.push([parameter, values!.split(', ')]);
  }
  let characters = 0;
  return found.flatMap(({ name, parameters }) => {
    // JMH would split a value with a comma on the command line: such a benchmark runs with all its values.
    const isPlain = parameters.every(([, values]) => values.every((value) => /^[^\],]+$/.test(value)));
    const used = isPlain ? parameters : [];
    const longest = name.length + used.flat(2).join().length;
    characters += used.reduce((count, [, values]) => count * values.length, longest);
    if (characters > MAX_CHARACTERS) {
      throw new InputError(`The parameters of ${plain(name, 100)} make too many benchmarks. Give them fewer values.`);
    }
    return combinations(used).map((one) => name + one);
  });
}

/** https://github.com/openjdk/jmh: the self-contained archive of benchmarks. An execution is one call in single-shot mode, in the first process. */
export const jmh: Harness = {
  name: 'jmh',
  target: 'the archive, such as target/benchmarks.jar',
  defaultTarget: 'target/benchmarks.jar',
  needs: 'Java, and the archive that the build of the benchmarks makes',
  list: (target) => `${java(target)} -lp`,
  namesIn,
  run(target, given) {
    const [, name = given, parameters] = /^([^[]*)\[(.*)\]$/.exec(given) ?? [];
    const values = parameters === undefined ? [] : parameters.split(',').map((one) => ` -p ${shellWord(one)}`);
    return `exec ${java(target)} ${shellWord(exactly(name))}${values.join('')} -f 0 -wi 0 -i 1 -bm ss -bs {executions} -foe true -tu ns`;
  },
  // The score in the output covers the whole batch.
  timeIn(output, executions) {
    const batch = sumOfTimes(output, /^Iteration\s+1: (?<time>[\d.]+) (?:±\(\S+\) [\d.]+ )?(?<unit>ns)\/op/gm);
    return batch === null ? null : batch / executions;
  },
};
