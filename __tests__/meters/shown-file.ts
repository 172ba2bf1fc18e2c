import { openSync, writeSync } from 'node:fs';

const LENGTH = 24;

/** A file of the kernel's that is renewed thousands of times: written in place, since a file system may write one to disk that is cut and filled again. */
export function shownFile(path: string): (value: number | bigint) => void {
  const file = openSync(path, 'r+');
  let shown = '';
  return (value) => {
    const text = `${value}`.padEnd(LENGTH);
    if (text === shown) return;
    writeSync(file, text, 0);
    shown = text;
  };
}
