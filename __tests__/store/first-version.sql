CREATE TABLE experiment (
  id TEXT NOT NULL,
  joulediff_version TEXT NOT NULL,
  name TEXT NOT NULL,
  started_at TEXT NOT NULL,
  seed INTEGER NOT NULL,
  order_rule TEXT NOT NULL,
  repetitions INTEGER NOT NULL,
  baseline TEXT NOT NULL,
  margin_percent REAL NOT NULL,
  rest_s REAL NOT NULL,
  guard_s REAL NOT NULL,
  definition TEXT NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (baseline) REFERENCES variant(name) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE variant (
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  definition TEXT NOT NULL,
  facts TEXT NOT NULL,
  surroundings TEXT,
  unseen TEXT CHECK (unseen IN ('no-shell', 'no-place', 'failed')),
  version TEXT,
  PRIMARY KEY (position),
  UNIQUE (name)
) STRICT;

CREATE TABLE planned_run (
  planned INTEGER NOT NULL,
  block INTEGER NOT NULL,
  position INTEGER NOT NULL,
  variant TEXT NOT NULL,
  warmup INTEGER NOT NULL CHECK (warmup IN (0, 1)),
  PRIMARY KEY (planned),
  FOREIGN KEY (variant) REFERENCES variant(name),
  UNIQUE (block, variant)
) STRICT;

CREATE TABLE meter (
  meter INTEGER NOT NULL,
  type TEXT NOT NULL,
  address TEXT,
  name TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('measured', 'modelled', 'emulated')),
  identity TEXT NOT NULL,
  accuracy_gain_percent REAL,
  accuracy_offset_w REAL,
  minimum_guard_s REAL NOT NULL,
  remarks TEXT NOT NULL,
  passport TEXT,
  PRIMARY KEY (meter)
) STRICT;

CREATE TABLE channel (
  channel INTEGER NOT NULL,
  name TEXT NOT NULL,
  meter INTEGER NOT NULL,
  is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
  integration TEXT NOT NULL CHECK (integration IN ('guard', 'counter')),
  sampling_period_s REAL NOT NULL,
  clock TEXT NOT NULL CHECK (clock IN ('meter', 'host')),
  resolution_w REAL,
  edge_s REAL,
  part TEXT CHECK (part IN ('machine', 'package-and-dram', 'package', 'dram')),
  quantities TEXT,
  PRIMARY KEY (channel),
  UNIQUE (name),
  FOREIGN KEY (meter) REFERENCES meter(meter)
) STRICT;

CREATE TABLE noise_floor (
  measured_at TEXT NOT NULL,
  percent REAL NOT NULL,
  ci95_low REAL NOT NULL,
  ci95_high REAL NOT NULL,
  blocks INTEGER NOT NULL,
  PRIMARY KEY (measured_at)
) STRICT;

CREATE TABLE session (
  session INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  end_kind TEXT CHECK (end_kind IN ('complete', 'stopped', 'failed')),
  end_signal TEXT CHECK (end_signal IN ('SIGINT', 'SIGTERM')),
  end_message TEXT,
  origin_ns INTEGER NOT NULL,
  conditions TEXT NOT NULL,
  files TEXT,
  PRIMARY KEY (session),
  CHECK ((ended_at IS NULL) = (end_kind IS NULL)),
  CHECK ((end_kind IS 'stopped') = (end_signal IS NOT NULL)),
  CHECK ((end_kind IS 'failed') = (end_message IS NOT NULL))
) STRICT;

CREATE TABLE run (
  run INTEGER NOT NULL,
  planned INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  position INTEGER NOT NULL,
  session INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ok', 'warmup', 'failed', 'invalid')),
  cause TEXT CHECK (cause IN ('exit-code', 'signal', 'timeout', 'place', 'meter-lost', 'missing-readings', 'block-repeated', 'stopped')),
  reason TEXT,
  rest_start_ns INTEGER NOT NULL,
  rest_end TEXT,
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  guard_end_ns INTEGER NOT NULL,
  exit_code INTEGER,
  signal TEXT,
  output_tail TEXT,
  executions INTEGER NOT NULL,
  PRIMARY KEY (run),
  FOREIGN KEY (planned) REFERENCES planned_run(planned),
  FOREIGN KEY (session) REFERENCES session(session),
  CHECK ((status IN ('ok', 'warmup')) = (cause IS NULL)),
  CHECK ((cause IS NULL) = (reason IS NULL)),
  CHECK (rest_start_ns <= start_ns AND start_ns <= end_ns AND end_ns <= guard_end_ns),
  CHECK (executions >= 1)
) STRICT;

CREATE TABLE machine_state (
  run INTEGER NOT NULL,
  governor TEXT,
  temperature_c REAL,
  load REAL,
  PRIMARY KEY (run),
  FOREIGN KEY (run) REFERENCES run(run)
) STRICT;

CREATE TABLE quiet_look (
  session INTEGER NOT NULL,
  t_ns INTEGER NOT NULL,
  block INTEGER NOT NULL,
  warmup INTEGER NOT NULL CHECK (warmup IN (0, 1)),
  found TEXT NOT NULL,
  remaining TEXT NOT NULL,
  waited_s REAL NOT NULL,
  load REAL,
  temperature_c REAL,
  limit_hz REAL,
  throttled INTEGER,
  FOREIGN KEY (session) REFERENCES session(session),
  CHECK (waited_s >= 0)
) STRICT;

CREATE TABLE incident (
  run INTEGER NOT NULL,
  throttled INTEGER,
  kernel_messages TEXT,
  PRIMARY KEY (run),
  FOREIGN KEY (run) REFERENCES run(run)
) STRICT;

CREATE TABLE phase_mark (
  run INTEGER NOT NULL,
  mark INTEGER NOT NULL,
  t_ns INTEGER NOT NULL,
  late_ns INTEGER NOT NULL,
  phase TEXT,
  PRIMARY KEY (run, mark),
  FOREIGN KEY (run) REFERENCES run(run),
  CHECK (late_ns >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_usage (
  run INTEGER NOT NULL,
  cpu_s REAL,
  peak_memory_bytes INTEGER,
  read_bytes INTEGER,
  written_bytes INTEGER,
  PRIMARY KEY (run),
  FOREIGN KEY (run) REFERENCES run(run)
) STRICT;

CREATE TABLE run_place (
  run INTEGER NOT NULL,
  starts INTEGER NOT NULL,
  start_up_s REAL,
  prepared_names TEXT NOT NULL,
  prepared_run_on INTEGER NOT NULL CHECK (prepared_run_on IN (0, 1)),
  limit_unseen INTEGER NOT NULL CHECK (limit_unseen IN (0, 1)),
  PRIMARY KEY (run),
  FOREIGN KEY (run) REFERENCES run(run),
  CHECK (starts >= 1),
  CHECK (start_up_s >= 0)
) STRICT;

CREATE TABLE run_clock (
  run INTEGER NOT NULL,
  edge_s REAL NOT NULL,
  length_s REAL NOT NULL,
  PRIMARY KEY (run),
  FOREIGN KEY (run) REFERENCES run(run),
  CHECK (edge_s >= 0),
  CHECK (length_s >= 0)
) STRICT;

CREATE TABLE run_service (
  run INTEGER NOT NULL,
  service TEXT NOT NULL,
  ready_s REAL,
  stop_s REAL,
  ended TEXT NOT NULL CHECK (ended IN ('stopped', 'killed', 'died')),
  PRIMARY KEY (run, service),
  FOREIGN KEY (run) REFERENCES run(run)
) STRICT;

CREATE TABLE run_metric (
  run INTEGER NOT NULL,
  metric TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (run, metric),
  FOREIGN KEY (run) REFERENCES run(run)
) STRICT;

CREATE TABLE run_unread (
  run INTEGER NOT NULL,
  channel TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (run, channel),
  FOREIGN KEY (run) REFERENCES run(run),
  FOREIGN KEY (channel) REFERENCES channel(name)
) STRICT;

CREATE TABLE idle (
  session INTEGER NOT NULL,
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  FOREIGN KEY (session) REFERENCES session(session)
) STRICT;

CREATE TABLE sample (
  session INTEGER NOT NULL,
  channel INTEGER NOT NULL,
  t_ns INTEGER NOT NULL,
  power_w REAL NOT NULL,
  duration_s REAL NOT NULL,
  readings TEXT,
  PRIMARY KEY (session, channel, t_ns),
  FOREIGN KEY (session) REFERENCES session(session),
  FOREIGN KEY (channel) REFERENCES channel(channel)
) STRICT, WITHOUT ROWID;

CREATE TABLE told (
  session INTEGER NOT NULL,
  channel INTEGER NOT NULL,
  t_ns INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (session, channel, t_ns, quantity),
  FOREIGN KEY (session) REFERENCES session(session),
  FOREIGN KEY (channel) REFERENCES channel(channel)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
  session INTEGER NOT NULL,
  t_ns INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('gap', 'note')),
  detail TEXT NOT NULL,
  FOREIGN KEY (session) REFERENCES session(session)
) STRICT;

CREATE TABLE look (
  look INTEGER NOT NULL,
  blocks INTEGER NOT NULL,
  nominal_p REAL NOT NULL,
  p REAL,
  because TEXT,
  PRIMARY KEY (look)
) STRICT;
CREATE TABLE run_counter (
  run INTEGER NOT NULL,
  counter TEXT NOT NULL,
  value REAL,
  missing TEXT,
  PRIMARY KEY (run, counter)
) STRICT, WITHOUT ROWID;

CREATE TABLE processor_time (
  run INTEGER NOT NULL,
  t_ns INTEGER NOT NULL,
  busy_s REAL NOT NULL,
  all_s REAL NOT NULL,
  PRIMARY KEY (run, t_ns)
) STRICT, WITHOUT ROWID;

CREATE TABLE observer (
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  missing TEXT CHECK (missing IN ('no-tool', 'not-allowed', 'no-tracepoints', 'no-group', 'limits', 'hangs', 'too-much', 'ended', 'place-not-seen', 'lasts', 'unreadable')),
  PRIMARY KEY (name)
) STRICT;
CREATE TABLE observed_run (
  observed INTEGER NOT NULL,
  round INTEGER NOT NULL,
  variant TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ok', 'failed')),
  reason TEXT,
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  executions INTEGER NOT NULL,
  way TEXT NOT NULL CHECK (way IN ('sampled', 'traced')),
  PRIMARY KEY (observed),
  FOREIGN KEY (variant) REFERENCES variant(name),
  CHECK ((status = 'ok') = (reason IS NULL)),
  CHECK (start_ns <= end_ns),
  CHECK (executions >= 1)
) STRICT;
CREATE TABLE observed_mark (
  observed INTEGER NOT NULL,
  mark INTEGER NOT NULL,
  t_ns INTEGER NOT NULL,
  late_ns INTEGER NOT NULL,
  phase TEXT,
  PRIMARY KEY (observed, mark),
  FOREIGN KEY (observed) REFERENCES observed_run(observed),
  CHECK (late_ns >= 0)
) STRICT, WITHOUT ROWID;
CREATE TABLE observed_by (
  observed INTEGER NOT NULL,
  name TEXT NOT NULL,
  failure TEXT CHECK (failure IN ('no-tool', 'not-allowed', 'no-tracepoints', 'no-group', 'limits', 'hangs', 'too-much', 'ended', 'place-not-seen', 'lasts', 'unreadable')),
  PRIMARY KEY (observed, name),
  FOREIGN KEY (observed) REFERENCES observed_run(observed),
  FOREIGN KEY (name) REFERENCES observer(name)
) STRICT, WITHOUT ROWID;
CREATE TABLE observed_count (
  observed INTEGER NOT NULL,
  from_ns INTEGER NOT NULL,
  to_ns INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('syscall', 'fault', 'switch', 'bytes', 'cpu')),
  name TEXT NOT NULL,
  value REAL NOT NULL,
  errors INTEGER,
  FOREIGN KEY (observed) REFERENCES observed_run(observed),
  CHECK (from_ns <= to_ns),
  CHECK (value >= 0)
) STRICT;
CREATE TABLE frame (
  frame INTEGER NOT NULL,
  name TEXT NOT NULL,
  library TEXT,
  PRIMARY KEY (frame)
) STRICT;
CREATE TABLE stack (
  stack INTEGER NOT NULL,
  frames TEXT NOT NULL,
  PRIMARY KEY (stack)
) STRICT;
CREATE TABLE observed_sample (
  observed INTEGER NOT NULL,
  t_ns INTEGER NOT NULL,
  weight_ns INTEGER NOT NULL,
  stack INTEGER NOT NULL,
  FOREIGN KEY (observed) REFERENCES observed_run(observed),
  FOREIGN KEY (stack) REFERENCES stack(stack),
  CHECK (weight_ns >= 0)
) STRICT;
