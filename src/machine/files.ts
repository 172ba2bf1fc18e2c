import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inNumberOrder } from '../text/order.ts';

/** Files of the kernel and the system that describe a machine. One that is missing, empty or forbidden is null or an empty list; nothing throws. */
export class MachineFiles {
  readonly root: string;

  /** `root` is another place of /sys, /proc, /etc, /run and /dev, for tests. */
  constructor(root = '/') {
    this.root = root;
  }

  path(path: string): string {
    return join(this.root, path);
  }

  /** Text of a file, without white space at its ends and without the NULs of the device tree. */
  text(path: string): string | null {
    try {
      return readFileSync(this.path(path), 'utf8').replace(/^\s+|[\0\s]+$/g, '') || null;
    } catch {
      return null;
    }
  }

  /** Number in a file; null also where the text is no number. */
  number(path: string): number | null {
    const text = this.text(path);
    return text !== null && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
  }

  link(path: string): string | null {
    try {
      return readlinkSync(this.path(path));
    } catch {
      return null;
    }
  }

  /** Owner and mode of a file; null where they can't be read. */
  owner(path: string): { readonly uid: number; readonly gid: number; readonly mode: number } | null {
    try {
      return statSync(this.path(path));
    } catch {
      return null;
    }
  }

  /** Paths of the entries of a folder whose names match, sorted with their numbers. */
  entries(folder: string, pattern = /^/): string[] {
    try {
      return readdirSync(this.path(folder))
        .filter((name) => pattern.test(name))
        .sort(inNumberOrder)
        .map((name) => join(folder, name));
    } catch {
      return [];
    }
  }
}
