import * as z from 'zod';

// What a helper may answer: another machine, or whoever stands in its place, decides what comes, and none of it may be more than it can be.

/** CLOCK_MONOTONIC there, nanoseconds: beyond 104 days it is no integer that every double holds, and in 64 bits it ends. */
export const TimeNs = z
  .number()
  .min(0)
  .lt(2 ** 63)
  .refine(Number.isInteger, 'no whole number of nanoseconds');

/** Seconds of work or waiting. No machine has been running for longer. */
export const Seconds = z.number().min(0).max(1e12);

/** Names of processes or containers. */
export const Names = z.array(z.string().max(4096)).max(65_536);

/** Both ends of what was printed, in base64, and how many bytes are missing between them. */
export const PrintedParts = z.object({
  parts: z.array(z.string()).max(2),
  left_out: z.int().min(0),
});
