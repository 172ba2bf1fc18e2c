/** What bytes are of, where they are told at the moment at which they move. */
export const MOVED_BYTES = [
  'disks-read',
  'disks-written',
  'network-sent',
  'network-received',
  'unix-sent',
  'unix-received',
] as const;
export type MovedBytes = (typeof MOVED_BYTES)[number];
