/**
 * Images that a Dockerfile builds on: those of FROM, `COPY --from` and `RUN --mount=from=`, with the defaults of its ARGs and `args` inserted. Left
 * out are its own stages, `scratch`, and names with a variable that isn't known.
 */
export function baseImages(dockerfile: string, args: Readonly<Record<string, string>>): string[] {
  const known = new Map<string, string>();
  const stages = new Set<string>();
  const found = new Set<string>();
  const add = (name: string | undefined) => {
    const image = expanded(unquoted(name ?? ''), known);
    const isStage = stages.has(image.toLowerCase()) || /^\d+$/.test(image);
    if (image !== '' && image !== 'scratch' && !isStage && !image.includes('$')) found.add(image);
  };
  for (const line of instructions(dockerfile)) {
    const [word = '', ...rest] = line.split(/\s+/);
    const instruction = word.toUpperCase();
    if (instruction === 'ARG') {
      for (const arg of rest) {
        const [name = '', ...value] = arg.split('=');
        const text = args[name] ?? (value.length > 0 ? expanded(unquoted(value.join('=')), known) : undefined);
        if (text !== undefined) known.set(name, text);
      }
    } else if (instruction === 'FROM') {
      const [image, as, stage] = rest.filter((part) => !part.startsWith('--'));
      add(image);
      if (as?.toUpperCase() === 'AS' && stage !== undefined) stages.add(stage.toLowerCase());
    } else if (instruction === 'COPY' || instruction === 'RUN' || instruction === 'ADD') {
      for (const part of rest) add(/^--(?:from=|mount=(?:.*,)?from=)([^,]+)/.exec(part)?.[1]);
    }
  }
  return [...found];
}

/** Instructions without comments and here-documents, each with its continuation lines. */
function instructions(dockerfile: string): string[] {
  const found: string[] = [];
  let ends: string[] = [];
  let begun = '';
  for (const line of dockerfile.split(/\r?\n/)) {
    if (line === ends[0] || `-${line.replace(/^\t+/, '')}` === ends[0]) ends.shift();
    else if (ends.length === 0 && !/^\s*(?:#|$)/.test(line)) {
      begun += line.replace(/[\\`]\s*$/, ' ');
      if (/[\\`]\s*$/.test(line)) continue;
      found.push(begun.trim());
      ends = endsOf(begun);
      begun = '';
    }
  }
  return found;
}

/** A word as a shell has it, quotes included. */
const WORD = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g;

/** Ends of an instruction's here-documents, each begun by a whole word; "-" before one: tabs may be before it. */
function endsOf(instruction: string): string[] {
  if (!/^\s*(?:ONBUILD\s+)?(?:RUN|COPY|ADD)\s/i.test(instruction)) return [];
  return (instruction.match(WORD) ?? []).flatMap((word) => {
    const [, dash, name] = /^\d*<<(-?)([^<]+)$/.exec(word) ?? [];
    return name === undefined ? [] : [`${dash}${unquoted(name)}`];
  });
}

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2');

/** Replaces `$NAME`, `${NAME}` and `${NAME:-default}` of known variables. */
function expanded(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(/\$(?:(\w+)|\{(\w+)(?::?-([^}]*))?\})/g, (whole, plain, braced, fallback) => {
    return known.get(plain ?? braced) ?? fallback ?? whole;
  });
}
