import { shellWord } from '../../text/shell.ts';
import { type Harness, markedLines } from '../harness.ts';

const MARK = '::joulediff benchmark ';

/** Collects as pytest does, and prints what takes the fixture. */
const LIST = `
import sys, pytest
class Listing:
    def pytest_collection_finish(self, session):
        for item in session.items:
            if "benchmark" in getattr(item, "fixturenames", ()):
                print("\\n${MARK}" + item.nodeid)
status = pytest.main(["--collect-only", "-qq", sys.argv[1]], plugins=[Listing()])
sys.exit(0 if status == 5 else status)`;

/**
 * In the place of the fixture's own calibration: a fixed number of calls. Each call of the benchmark counts as one execution, those of
 * \`pedantic\` with their own arguments.
 */
const RUN = `
import sys, pytest
n = int(sys.argv[2])
class Once:
    def __init__(self):
        self.extra_info, self.group, self.name, self.disabled = {}, None, "", False
    def __call__(self, function, *args, **kwargs):
        result = None
        for _ in range(n):
            result = function(*args, **kwargs)
        return result
    def pedantic(self, target, args=(), kwargs=None, setup=None, **_):
        result = None
        for _ in range(n):
            made = setup() if setup else None
            a, k = made if made else (args, kwargs or {})
            result = target(*a, **k)
        return result
    def weave(self, *_, **__):
        raise NotImplementedError("benchmark.weave can't be repeated a fixed number of times")
    patch = weave
class Fixed:
    @pytest.fixture
    def benchmark(self):
        return Once()
sys.exit(pytest.main(["-q", "-p", "no:benchmark", "-p", "no:cacheprovider", "-o", "addopts=", sys.argv[1]], plugins=[Fixed()]))`;

/** https://pytest-benchmark.readthedocs.io: functions that take the fixture `benchmark`. A name is pytest's node id. */
export const pytestBenchmark: Harness = {
  name: 'pytest-benchmark',
  target: 'a folder or a file of tests',
  defaultTarget: '.',
  list: (target) => `python3 -c ${shellWord(LIST)} ${shellWord(target)}`,
  namesIn: (output) => markedLines(output, MARK),
  prepare: () => null,
  run: (_, name) => `exec python3 -c ${shellWord(RUN)} ${shellWord(name)} {executions}`,
};
