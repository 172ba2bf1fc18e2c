"""The analysis of an experiment.db with pandas and SciPy: energies by guard blocks, then the statistics of findings.json.

python3 analysis.py experiment.db findings.json     (pip install pandas scipy)
"""
import json
import math
import sqlite3
import sys
import time

import numpy as np
import pandas as pd
from scipy import stats


def energies(db):
    guard = db.execute("SELECT guard_s FROM experiment").fetchone()[0]
    samples = pd.read_sql_query("SELECT t_ns, power_w, duration_s FROM sample ORDER BY t_ns", db)
    runs = pd.read_sql_query(
        "SELECT r.run, r.status, p.block, p.variant, rest_start_ns, start_ns, end_ns, guard_end_ns FROM run r JOIN planned_run p USING (planned) ORDER BY r.run", db
    )
    closing = db.execute("SELECT start_ns, end_ns FROM idle").fetchone()
    t = samples.t_ns.to_numpy() / 1e9
    watts = samples.power_w.to_numpy()
    period = np.polyfit(np.arange(len(t)), t, 1)[0]
    between = lambda a, b: watts[np.searchsorted(t, a, "right") : np.searchsorted(t, b, "right")]
    out = []
    for i, run in enumerate(runs.itertuples()):
        rest, start, end = run.rest_start_ns / 1e9, run.start_ns / 1e9, run.end_ns / 1e9
        after = (runs.rest_start_ns[i + 1] / 1e9, runs.start_ns[i + 1] / 1e9) if i + 1 < len(runs) else (closing[0] / 1e9, closing[1] / 1e9)
        idle = np.mean([between(a + guard + period, b - guard).mean() for a, b in ((rest, start), after)])
        inside = between(start - guard, min(end + guard + period, run.guard_end_ns / 1e9))
        out.append(idle * (end - start) + ((inside - idle) * period).sum())
    return runs.assign(energy_j=out, duration_s=(runs.end_ns - runs.start_ns) / 1e9)


def describe(frame):
    e = frame.energy_j.to_numpy()
    w = stats.shapiro(e)
    r = stats.pearsonr(e, frame.duration_s)
    ci = r.confidence_interval()
    mean = stats.t.interval(0.95, len(e) - 1, e.mean(), stats.sem(e))
    return {
        "runs": len(e), "mean": e.mean(), "sd": e.std(ddof=1), "median": np.median(e), "mad": stats.median_abs_deviation(e),
        "q1": np.percentile(e, 25), "q3": np.percentile(e, 75), "mean_ci95": mean,
        "shapiro_wilk": [w.statistic, w.pvalue], "energy_time_pearson": [r.statistic, r.pvalue, ci.low, ci.high],
    }


def hodges_lehmann(values, tail):
    values = np.sort(values)
    k = max(1, int(np.searchsorted(tail, 0.025)))
    return [np.median(values), values[k - 1], values[-k]]


def signed_rank_tail(n):
    counts = np.zeros(n * (n + 1) // 2 + 1)
    counts[0] = 1
    for i in range(1, n + 1):
        counts[i:] += counts[:-i].copy()
    return np.cumsum(counts) / 2.0**n


def compare(x, y, d):
    n, m = len(x), len(y)
    i, j = np.triu_indices(n)
    walsh = hodges_lehmann((d[i] + d[j]) / 2, signed_rank_tail(n))
    welch = stats.ttest_ind(y, x, equal_var=False)
    ci = welch.confidence_interval()
    dominance = np.sign(y[:, None] - x[None, :])
    delta = dominance.mean()
    pooled = math.sqrt(((n - 1) * x.var(ddof=1) + (m - 1) * y.var(ddof=1)) / (n + m - 2))
    cohen = (y.mean() - x.mean()) / pooled
    scale = math.sqrt(n * m / (n + m))
    limits = [stats.nct.ppf(q, n + m - 2, cohen * scale) / scale for q in (0.025, 0.975)]
    flips = stats.permutation_test((d,), np.mean, permutation_type="samples", n_resamples=9999, vectorized=True, rng=np.random.default_rng(1))
    boot = stats.bootstrap((d,), np.mean, n_resamples=9999, method="percentile", vectorized=True, rng=np.random.default_rng(1))
    margin = math.log(1.01)
    tost = max(stats.ttest_1samp(d, -margin, alternative="greater").pvalue, stats.ttest_1samp(d, margin, alternative="less").pvalue)
    return {
        "percent": [100 * math.expm1(v) for v in walsh],
        "signed_rank": stats.wilcoxon(d, method="exact").pvalue, "paired_t": stats.ttest_1samp(d, 0).pvalue, "sign_flip": flips.pvalue,
        "bootstrap": list(boot.confidence_interval), "welch": [welch.statistic, welch.pvalue, ci.low, ci.high],
        "mann_whitney": stats.mannwhitneyu(y, x, method="exact").pvalue, "brunner_munzel": stats.brunnermunzel(x, y).pvalue,
        "kruskal_wallis": stats.kruskal(x, y).pvalue, "tost": tost, "cliffs_delta": delta, "cohens_d": [cohen, *limits],
        "shift": np.median(y[:, None] - x[None, :]), "shapiro": stats.shapiro(d).pvalue, "trend": stats.kendalltau(np.arange(n), d).pvalue,
    }


def main(database, findings):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as db:
        runs = energies(db)
    good = runs[runs.status == "ok"]
    arms = {name: frame.sort_values("block") for name, frame in good.groupby("variant")}
    x, y = (arms[name].energy_j.to_numpy() for name in ("native", "container"))
    result = {"variants": {name: describe(frame) for name, frame in arms.items()}, "comparison": compare(x, y, np.log(y / x))}
    with open(findings, "w") as file:
        json.dump(result, file, default=float)


def statistics():
    """Seconds that the statistics of 2 x 40 runs take, imports not counted."""
    g = np.random.default_rng(1)
    x = 100 * np.exp(0.01 * g.normal(size=40))
    y = 102 * np.exp(0.01 * g.normal(size=40))
    t = 10 + 0.1 * g.normal(size=80)
    started = time.perf_counter()
    describe(pd.DataFrame({"energy_j": x, "duration_s": t[:40]}))
    describe(pd.DataFrame({"energy_j": y, "duration_s": t[40:]}))
    compare(x, y, np.log(y / x))
    print(time.perf_counter() - started)


if sys.argv[1] == "--statistics":
    statistics()
else:
    main(*sys.argv[1:])
