/** Kinds of bytes that are observed at the time when they move. */
export const MOVED_BYTES = [
  'disks-read',
  'disks-written',
  'network-sent',
  'network-received',
  'unix-sent',
  'unix-received',
] as const;
export type MovedBytes = (typeof MOVED_BYTES)[number];
