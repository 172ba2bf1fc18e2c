/** A foreign text (a device's answer, a process's name) without characters that would steer the terminal. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');
}
