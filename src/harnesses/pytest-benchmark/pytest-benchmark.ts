import { shellWord } from '../../text/shell.ts';
import { type Harness, markedLines, markedTime, TIME_MARK } from '../harness.ts';

const MARK = '::joulediff benchmark ';

/** Collects tests as pytest does, and prints those that use the fixture `benchmark`: pytest's own paths may begin in a folder above. */
const LIST = `
import os, sys, pytest
class Listing:
    def pytest_collection_finish(self, session):
        for item in session.items:
            if "benchmark" in getattr(item, "fixturenames", ()):
                path = os.path.relpath(getattr(item, "path", None) or item.fspath)
                print("\\n${MARK}" + path + item.nodeid[item.nodeid.index("::"):])
status = pytest.main(["--collect-only", "-qq", sys.argv[1]], plugins=[Listing()])
sys.exit(0 if status == 5 else status)`;

/**
 * Replaces the plugin and its calibration by a fixture with a fixed number of calls. Each call of the benchmark counts as one execution.
 * The plugin's hooks and marker stay known, and there are no statistics, as with `--benchmark-disable`.
 */
const RUN = `
import sys, time, pytest
n = int(sys.argv[2])
took = 0
class Once:
    extra_info, group, name, stats, disabled, enabled = {}, None, "", None, False, True
    def __call__(self, function, *args, **kwargs):
        global took
        result = None
        began = time.perf_counter_ns()
        for _ in range(n):
            result = function(*args, **kwargs)
        took += time.perf_counter_ns() - began
        return result
    def pedantic(self, target, args=(), kwargs=None, setup=None, teardown=None, **_):
        global took
        result = None
        for _ in range(n):
            made = setup() if setup else None
            a, k = made if made else (args, kwargs or {})
            began = time.perf_counter_ns()
            result = target(*a, **k)
            took += time.perf_counter_ns() - began
            if teardown: teardown(*a, **k)
        return result
    def weave(self, *_, **__):
        raise NotImplementedError("benchmark.weave can't be repeated a fixed number of times")
    patch = weave
class Fixed:
    @pytest.fixture
    def benchmark(self):
        return Once()
    def pytest_configure(self, config):
        config.addinivalue_line("markers", "benchmark: settings of pytest-benchmark")
    def pytest_addhooks(self, pluginmanager):
        try:
            from pytest_benchmark import hookspec
        except ImportError: return
        pluginmanager.add_hookspecs(hookspec)
options = ["-p", "no:benchmark", "-p", "no:cacheprovider", "-o", "addopts=", "-o", "required_plugins="]
status = pytest.main(["-q", *options, sys.argv[1]], plugins=[Fixed()])
print("\\n${TIME_MARK}" + str(took / n))
if status == 0 and not took:
    sys.exit("The benchmark was skipped, or did not call its function.")
sys.exit(status)`;

/** https://pytest-benchmark.readthedocs.io: functions that take the fixture `benchmark`. A name is pytest's node id, from this folder. */
export const pytestBenchmark: Harness = {
  name: 'pytest-benchmark',
  target: 'a folder or a file of tests',
  defaultTarget: '.',
  needs: 'python3 with pytest',
  list: (target) => `python3 -c ${shellWord(LIST)} ${shellWord(target)}`,
  namesIn: (output) => markedLines(output, MARK),
  run: (_, name) => `exec python3 -c ${shellWord(RUN)} ${shellWord(name)} {executions}`,
  timeIn: markedTime,
};
