// Class: world, long.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ObservedRecord } from '../../../../../../src/store/observed.ts';
import { native } from '../../../../../executors/bench.ts';
import { shortExperiment } from '../../../../../measure/short-experiment.ts';
import { explained, freePort, service } from '../explained.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

const PATH = [process.env.PATH, '/usr/local/go/bin'].join(delimiter);
const hasGo = spawnSync('go', ['version'], { env: { ...process.env, PATH } }).status === 0;
/** Skipped by name where there is no Go. */
const itWithGo = hasGo ? it : it.skip;

/** Known work: processor time in functions of two names, and one that only waits. */
const WORK = `package main
import ("fmt"; "net/http"; _ "net/http/pprof"; "os"; "os/signal"; "runtime/pprof"; "syscall"; "time")
func used() time.Duration { var r syscall.Rusage; syscall.Getrusage(0, &r); return time.Duration(r.Utime.Nano()) }
//go:noinline
func spin(d time.Duration) { for from := used(); used()-from < d; { for i := 0; i < 100000; i++ { x = x*31 + i } } }
//go:noinline
func little() { spin(200 * time.Millisecond) }
//go:noinline
func much() { spin(800 * time.Millisecond) }
//go:noinline
func waits() { time.Sleep(300 * time.Millisecond) }
var x int
func main() {
	if port := os.Getenv("PORT"); port != "" {
		http.HandleFunc("/work", func(w http.ResponseWriter, r *http.Request) { little(); waits(); much(); fmt.Fprintln(w, "done") })
		go http.ListenAndServe("127.0.0.1:"+port, nil)
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGTERM)
		<-stop
		return
	}
	if folder := os.Getenv("JOULEDIFF_PROFILE_DIR"); folder != "" {
		file, _ := os.Create(folder + "/cpu.pprof")
		pprof.StartCPUProfile(file)
		defer pprof.StopCPUProfile()
	}
	little(); waits(); much()
}
`;

let folder: string;
let program: string;
beforeAll(() => {
  if (!hasGo) return;
  folder = mkdtempSync(join(tmpdir(), 'joulediff-go-'));
  program = join(folder, 'work');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'main.go'), WORK);
  writeFileSync(join(folder, 'src', 'go.mod'), 'module known.work\n');
  const words = ['build', '-o', program, '.'];
  const env = { ...process.env, PATH, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
  const { status, stderr } = spawnSync('go', words, { cwd: join(folder, 'src'), env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}, 300_000);
afterAll(() => {
  if (hasGo) rmSync(folder, { recursive: true, force: true });
});

/** Seconds in a function and in what it called. */
const secondsIn = ({ samples }: ObservedRecord, name: string): number =>
  samples.reduce(
    (sum, { frames, weightNs }) => (frames.some((frame) => frame.name === name) ? sum + weightNs : sum),
    0,
  ) / 1e9;

function expectKnownWork(run: ObservedRecord): void {
  const [little, much] = [secondsIn(run, 'main.little'), secondsIn(run, 'main.much')];
  // A look stands for 10 ms, and processor time is the same on a busy machine.
  expect(little).toBeGreaterThan(0.1);
  expect(little).toBeLessThan(0.4);
  expect(much).toBeGreaterThan(0.5);
  expect(much).toBeLessThan(1.2);
  expect(secondsIn(run, 'main.waits')).toBeLessThan(0.05);
}

itWithGo(
  'gives functions of the profile that a program writes to its folder, by processor time of the whole run',
  async () => {
    const experiment = shortExperiment(folder, [native({ run: [program] })], {
      repetitions: 1,
      profiles: [{ kind: 'go', of: null, port: null }],
    });
    const { observed, explanation } = await explained(folder, experiment, 1);
    expect(observed[0]?.by).toContainEqual({ name: 'go', failure: null });
    expectKnownWork(observed[0]!);
    expect(new Set(observed[0]?.samples.map(({ tNs }) => tNs))).toEqual(new Set([0n]));
    expect(explanation?.mix).toMatchObject([{ of: 'native', phase: null, of_whole_run: true }]);
  },
);

itWithGo('asks a server with net/http/pprof while its client runs, within the window', async () => {
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  const [port, deaf] = [await freePort(), await freePort()];
  const client = `const done = require('http').get('http://127.0.0.1:${port}/work', (r) => r.resume());`;
  const server = (at: number) => ({ ...service(`at-${at}`, [program], at), env: { PORT: String(at) } });
  const plain = service(
    'deaf',
    [process.execPath, '-e', `require('net').createServer((s) => s.end()).listen(${deaf}, '127.0.0.1')`],
    deaf,
  );
  const experiment = shortExperiment(folder, [native({ run: [process.execPath, '-e', client] })], {
    repetitions: 1,
    services: [server(port), plain],
    profiles: [
      { kind: 'go', of: `at-${port}`, port },
      { kind: 'go', of: 'deaf', port: deaf },
    ],
  });
  const { observed } = await explained(folder, experiment, 1);
  const [run] = observed;
  expect(run?.by).toEqual(
    expect.arrayContaining([
      { name: `go:at-${port}`, failure: null },
      { name: 'go:deaf', failure: 'no-answer' },
    ]),
  );
  expectKnownWork(run!);
  expect(run?.samples.filter(({ tNs }) => tNs < run.startNs || tNs > run.endNs)).toEqual([]);
});
