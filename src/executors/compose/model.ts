import * as z from 'zod';

const dependency = z.looseObject({ condition: z.string(), required: z.boolean().optional() });
const mount = z.looseObject({
  type: z.string(),
  source: z.string().optional(),
  target: z.string().optional(),
  read_only: z.boolean().optional(),
  bind: z.looseObject({ propagation: z.string().optional(), selinux: z.string().optional() }).nullish(),
});
const port = z.looseObject({
  target: z.number(),
  published: z.string().optional(),
  host_ip: z.string().optional(),
  protocol: z.string().optional(),
});
const limits = z.looseObject({ memory: z.unknown().optional(), pids: z.unknown().optional() });
const deploy = z.looseObject({
  replicas: z.number().optional(),
  mode: z.string().optional(),
  resources: z.looseObject({ limits: limits.optional() }).optional(),
});

/** A service as `docker compose config` gives it: what is read or changed here; the rest goes through as it is. */
const service = z.looseObject({
  image: z.string().optional(),
  build: z.record(z.string(), z.unknown()).optional(),
  pull_policy: z.string().optional(),
  platform: z.string().optional(),
  entrypoint: z.array(z.string()).nullish(),
  command: z.array(z.string()).nullish(),
  environment: z.record(z.string(), z.string().nullable()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  container_name: z.string().optional(),
  profiles: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), dependency).optional(),
  ports: z.array(port).optional(),
  volumes: z.array(mount).optional(),
  networks: z.record(z.string(), z.looseObject({ aliases: z.array(z.string()).optional() }).nullable()).optional(),
  network_mode: z.string().optional(),
  pid: z.string().optional(),
  ipc: z.string().optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.union([z.string(), z.array(z.string())]).optional(),
  volumes_from: z.array(z.string()).optional(),
  links: z.array(z.string()).optional(),
  cap_add: z.array(z.string()).optional(),
  scale: z.number().optional(),
  deploy: deploy.optional(),
  stop_grace_period: z.string().optional(),
  secrets: z.array(z.looseObject({ source: z.string() })).optional(),
  configs: z.array(z.looseObject({ source: z.string() })).optional(),
});

const shared = z.looseObject({
  external: z.boolean().optional(),
  labels: z.record(z.string(), z.string()).optional(),
});

export const composeModel = z.looseObject({
  services: z.record(z.string(), service).prefault({}),
  networks: z.record(z.string(), shared).prefault({}),
  volumes: z.record(z.string(), shared).prefault({}),
  secrets: z.record(z.string(), shared).prefault({}),
  configs: z.record(z.string(), shared).prefault({}),
});

export type ComposeService = z.output<typeof service>;
export type ComposeModel = z.output<typeof composeModel>;

/** The part of a Compose file that is started, resolved: nothing of the file or the environment is read again later. */
export interface Stack {
  /** The model, only with what is started. */
  readonly model: ComposeModel;
  /** Service in whose container the workload runs; null: it runs on the host. */
  readonly workload: string | null;
  /** Whether that service runs its command in the file, and not one of the experiment. */
  readonly ownCommand: boolean;
  /** All other services in the order of their start; those of one step may start at the same time. */
  readonly steps: readonly (readonly string[])[];
  /** Services that have to end successfully before those that depend on them are started. */
  readonly completing: ReadonlySet<string>;
  /** Digest that tells one stack from another; environments are not in it. */
  readonly digest: string;
}
