/** Does `work` without root's rights, where the tests run as root; else as they are. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  const groups = process.getgroups?.() ?? [];
  process.setgroups?.([]);
  process.setegid?.(65_534);
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(groups);
  }
}
