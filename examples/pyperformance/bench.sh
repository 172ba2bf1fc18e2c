#!/bin/sh
# Some benchmarks of pyperformance, in this machine's Python as it is: pyperformance itself would make an environment from PyPI first.
# $LOOPS and $VALUES fix the work, so that it is the same everywhere. Each benchmark is a phase.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd /tmp
export PYTHONPATH="$here/packages" PYTHONDONTWRITEBYTECODE=1
for benchmark in $BENCHMARKS; do
  echo "::joulediff phase $benchmark"
  rm -f /tmp/joulediff-pyperformance.json
  /usr/bin/python3 "$here/packages/pyperformance/data-files/benchmarks/bm_$benchmark/run_benchmark.py" --quiet \
    --processes 1 --warmups 1 --loops "$LOOPS" --values "$VALUES" --inherit-environ PYTHONPATH,PYTHONDONTWRITEBYTECODE \
    --output /tmp/joulediff-pyperformance.json > /dev/null
  /usr/bin/python3 -c '
import pyperf, sys
for benchmark in pyperf.BenchmarkSuite.load("/tmp/joulediff-pyperformance.json"):
    print(f"{benchmark.get_name()}: {benchmark.mean() * 1000:.4f} ms")'
done
rm -f /tmp/joulediff-pyperformance.json
echo "::joulediff end"
