/** Columns that a terminal gives a text: combining marks take none, East Asian wide characters and emoji take two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += columns(character);
  return width;
}

const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

function columns(character: string): number {
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** At most `width` columns, with … in the middle. */
export function fitWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const characters = [...text];
  for (let keep = characters.length - 1; keep > 0; keep--) {
    const head = Math.ceil(keep * 0.6);
    const tail = keep - head;
    const shortened = `${characters.slice(0, head).join('')}…${tail > 0 ? characters.slice(-tail).join('') : ''}`;
    if (displayWidth(shortened) <= width) return shortened;
  }
  return '…';
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** Lines of at most `width` columns, broken at spaces; a longer word is shortened. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ +/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  if (line !== '') lines.push(line);
  return lines.map((l) => fitWidth(l, width));
}
