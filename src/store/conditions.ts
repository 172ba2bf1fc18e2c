/** The machine as found; null where it can't be read. */
export interface Conditions {
  readonly hostname: string;
  readonly machine: string | null;
  readonly cpu: string | null;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly os: string | null;
  readonly governor: string | null;
  readonly turbo: boolean | null;
  readonly virtualization: string | null;
  readonly node: string;
  readonly docker: {
    readonly version: string | null;
    readonly storageDriver: string | null;
    readonly networkDriver: string | null;
    readonly cgroup: string | null;
  } | null;
}
