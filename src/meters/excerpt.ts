/** Quotes the beginning of an untrusted text, without anything that a terminal would obey. */
export function excerpt(text: string, length = 60): string {
  const short = text.length > length ? `${text.slice(0, length)}…` : text;
  return JSON.stringify(short).replace(/[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?');
}
