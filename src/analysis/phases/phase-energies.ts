import type { LatencyJ, RunResult } from '../results.ts';
import { COVERAGE_FACTOR } from '../uncertainty.ts';
import { type Course, type CourseOf, computeCourse } from './course.ts';
import type { Edge, Stretch } from './stretches.ts';

/** Minimum readings of a phase; with fewer, or if it is shorter than the meter's response, its energy is rough. */
export const MIN_PHASE_READINGS = 3;

export const NO_LATENCY: LatencyJ = [0, 0];

export const addLatency = (a: LatencyJ, b: LatencyJ): LatencyJ => [a[0] + b[0], a[1] + b[1]];

type Phases = Required<Pick<RunResult, 'phases' | 'outsidePhases'>>;

/** Phases of a run and the time outside of them, with energies; null: the run has no energy. Times from the window's start, ns. */
export function phaseEnergies(
  stretches: readonly Stretch[],
  { startNs, periodS }: { readonly startNs: number; readonly periodS: number },
  given: CourseOf | null,
): Phases {
  const course = given && computeCourse(given);
  // The meter spreads and delays an edge, so shorter phases are not resolved.
  const leastS = Math.max(MIN_PHASE_READINGS * periodS, course?.widthS ?? 0);
  const energies = stretches.map(({ phase, start, end }) => ({
    phase,
    startS: (start.ns - startNs) / 1e9,
    endS: (end.ns - startNs) / 1e9,
    energyJ: course && course.energyUpTo(end.ns) - course.energyUpTo(start.ns),
    uncertaintyJ: course && given && COVERAGE_FACTOR * uncertaintyJ(course, given, start, end),
    latencyJ: course ? latencyJ(course, start, end) : NO_LATENCY,
    short: (end.ns - start.ns) / 1e9 < leastS,
  }));
  const reported = energies.filter((stretch): stretch is typeof stretch & { phase: string } => stretch.phase !== null);
  const outside = energies.filter(({ phase }) => phase === null);
  return {
    phases: reported,
    outsidePhases: {
      durationS: outside.reduce((sum, { startS, endS }) => sum + endS - startS, 0),
      energyJ: course && outside.reduce((sum, { energyJ }) => sum + (energyJ ?? 0), 0),
      uncertaintyJ: course && Math.hypot(...outside.map((stretch) => stretch.uncertaintyJ ?? 0)),
      latencyJ: outside.map((stretch) => stretch.latencyJ).reduce(addLatency, NO_LATENCY),
      short: outside.some((stretch) => stretch.short),
    },
  };
}

/**
 * Standard uncertainty of one stretch's energy, joules, without the meter's class, which is the run's. At an edge inside the window:
 * - a reading across it is split in proportion, as if its power stood still: off by f(1−f)·ΔP·Δ, f uniform, root mean square ΔP·Δ/√30; Δ is
 *   the width over which the meter spreads an edge
 * - the line came at any time within `late`: P·late/√12
 * - the meter's latency, the same at both edges: u(λ) times the difference between the powers above idle at the two, before or after them
 * An edge of the window has its half of what the run's idle level and its drift leave uncertain.
 */
function uncertaintyJ(course: Course, { energy, channel, moments }: CourseOf, start: Edge, end: Edge): number {
  const [from, to] = [edgeOf(course, start), edgeOf(course, end)];
  const random = [from.randomJ, to.randomJ];
  const shift = Math.max(...latencyJ(course, start, end).map(Math.abs));
  const counter = channel.integration === 'counter';
  const takenS = counter ? 0 : Math.abs(energy.summedS - (moments.endNs - moments.startNs) / 1e9) / 2;
  const level = Math.hypot(energy.idle?.uncertaintyW ?? 0, Math.abs(energy.idle?.changeW ?? 0) / Math.sqrt(12));
  const ofWindow = [start, end].filter((edge) => edge.ofWindow).length;
  return Math.hypot(...random, shift, ofWindow * takenS * level);
}

/** The same latency applies to all runs with the meter, so repetition does not reduce its effect. */
function latencyJ(course: Course, start: Edge, end: Edge): LatencyJ {
  const [from, to] = [edgeOf(course, start), edgeOf(course, end)];
  const u = course.latencyUncertaintyS;
  return [u * (to.beforeW - from.beforeW), u * (to.afterW - from.afterW)];
}

/** Powers above the level on both sides of an edge; 0 at the window's own edges, whose energy is complete at any latency. */
function edgeOf(course: Course, edge: Edge): { randomJ: number; beforeW: number; afterW: number } {
  if (edge.ofWindow) return { randomJ: 0, beforeW: 0, afterW: 0 };
  const around = course.around(edge.ns);
  const beforeW = around.beforeW ?? around.afterW ?? course.levelW;
  const afterW = around.afterW ?? beforeW;
  const split = (Math.abs(afterW - beforeW) * course.widthS) / Math.sqrt(30);
  const late = (Math.max(beforeW, afterW) * edge.lateNs) / 1e9 / Math.sqrt(12);
  return {
    randomJ: Math.hypot(split, late),
    beforeW: beforeW - course.levelW,
    afterW: afterW - course.levelW,
  };
}
