/** Version of the tables below; a file with a newer one is refused with a sentence. */
export const SCHEMA_VERSION = 1;

/** "jdif": marks a SQLite file as one of ours. */
export const APPLICATION_ID = 0x6a646966;

/** The decisions of an experiment that may end early; added to files of before the table when they are resumed. */
export const LOOK_TABLE = `
CREATE TABLE IF NOT EXISTS look (
  look INTEGER PRIMARY KEY,
  blocks INTEGER NOT NULL,
  nominal_p REAL NOT NULL,
  p REAL,
  stopped INTEGER NOT NULL CHECK (stopped IN (0, 1))
) STRICT;
`;

/** State of the machine before each run; added to files of before the table when they are resumed. */
export const MACHINE_TABLE = `
CREATE TABLE IF NOT EXISTS machine_state (
  run INTEGER PRIMARY KEY REFERENCES run(run),
  governor TEXT,
  temperature_c REAL,
  load REAL
) STRICT;
`;

/** What runs told of their phases and used of the machine; added to files of before the tables when they are resumed. */
export const ACCOUNT_TABLES = `
CREATE TABLE IF NOT EXISTS phase_mark (
  run INTEGER NOT NULL REFERENCES run(run),
  mark INTEGER NOT NULL,
  t_ns INTEGER NOT NULL,
  late_ns INTEGER NOT NULL CHECK (late_ns >= 0),
  phase TEXT,
  PRIMARY KEY (run, mark)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS run_usage (
  run INTEGER PRIMARY KEY REFERENCES run(run),
  cpu_s REAL,
  peak_memory_bytes INTEGER,
  read_bytes INTEGER,
  written_bytes INTEGER,
  unread TEXT NOT NULL
) STRICT;
`;

/**
 * Raw observations only, nothing derived but `look`: without it nobody could tell whether a plan is through. Times are CLOCK_MONOTONIC nanoseconds of their session, power is in watts,
 * texts named `definition`, `identity`, `remarks`, `passport`, `unread` and `conditions` are JSON.
 */
export const SCHEMA = `
CREATE TABLE experiment (
  id TEXT PRIMARY KEY,
  schema_version INTEGER NOT NULL,
  joulediff_version TEXT NOT NULL,
  name TEXT NOT NULL,
  started_at TEXT NOT NULL,
  seed INTEGER NOT NULL,
  order_rule TEXT NOT NULL,
  repetitions INTEGER NOT NULL,
  baseline TEXT NOT NULL REFERENCES variant(name) DEFERRABLE INITIALLY DEFERRED,
  margin_percent REAL NOT NULL,
  rest_s REAL NOT NULL,
  guard_s REAL NOT NULL,
  definition TEXT NOT NULL
) STRICT;

CREATE TABLE variant (
  name TEXT PRIMARY KEY,
  position INTEGER NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  definition TEXT NOT NULL,
  facts TEXT NOT NULL
) STRICT;

CREATE TABLE planned_run (
  planned INTEGER PRIMARY KEY,
  block INTEGER NOT NULL,
  position INTEGER NOT NULL,
  variant TEXT NOT NULL REFERENCES variant(name),
  warmup INTEGER NOT NULL CHECK (warmup IN (0, 1)),
  UNIQUE (block, variant)
) STRICT;

CREATE TABLE meter (
  meter INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  address TEXT,
  source TEXT NOT NULL CHECK (source IN ('measured', 'modelled', 'emulated')),
  identity TEXT NOT NULL,
  accuracy_gain_percent REAL,
  accuracy_offset_w REAL,
  minimum_guard_s REAL NOT NULL,
  remarks TEXT NOT NULL,
  passport TEXT
) STRICT;

CREATE TABLE channel (
  channel INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  meter INTEGER NOT NULL REFERENCES meter(meter),
  is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
  integration TEXT NOT NULL CHECK (integration IN ('guard', 'counter')),
  sampling_period_s REAL NOT NULL,
  clock TEXT NOT NULL CHECK (clock IN ('meter', 'host')),
  resolution_w REAL,
  edge_s REAL,
  part TEXT CHECK (part IN ('machine', 'package-and-dram', 'package', 'dram'))
) STRICT;

CREATE TABLE noise_floor (
  measured_at TEXT PRIMARY KEY,
  percent REAL NOT NULL,
  ci95_low REAL NOT NULL,
  ci95_high REAL NOT NULL,
  blocks INTEGER NOT NULL
) STRICT;

CREATE TABLE session (
  session INTEGER PRIMARY KEY,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  end_reason TEXT,
  origin_ns INTEGER NOT NULL,
  conditions TEXT NOT NULL
) STRICT;

CREATE TABLE run (
  run INTEGER PRIMARY KEY,
  planned INTEGER NOT NULL REFERENCES planned_run(planned),
  attempt INTEGER NOT NULL,
  position INTEGER NOT NULL,
  session INTEGER NOT NULL REFERENCES session(session),
  status TEXT NOT NULL CHECK (status IN ('ok', 'warmup', 'failed', 'invalid')),
  reason TEXT,
  rest_start_ns INTEGER NOT NULL,
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  guard_end_ns INTEGER NOT NULL,
  exit_code INTEGER,
  signal TEXT,
  output_tail TEXT,
  batch INTEGER NOT NULL DEFAULT 1 CHECK (batch >= 1),
  CHECK (status IN ('ok', 'warmup') OR reason IS NOT NULL),
  CHECK (rest_start_ns <= start_ns AND start_ns <= end_ns AND end_ns <= guard_end_ns)
) STRICT;

CREATE TABLE idle (
  idle INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session(session),
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL
) STRICT;

CREATE TABLE sample (
  session INTEGER NOT NULL REFERENCES session(session),
  channel INTEGER NOT NULL REFERENCES channel(channel),
  t_ns INTEGER NOT NULL,
  power_w REAL NOT NULL,
  duration_s REAL NOT NULL,
  PRIMARY KEY (session, channel, t_ns)
) STRICT, WITHOUT ROWID;
${LOOK_TABLE}${ACCOUNT_TABLES}${MACHINE_TABLE}
CREATE TABLE event (
  event INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session(session),
  t_ns INTEGER NOT NULL,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
`;
