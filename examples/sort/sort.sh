#!/bin/sh
# Sorts the input several times; fails if the result is not sorted.
set -eu
export LC_ALL=C
round=0
while [ "$round" -lt "${ROUNDS:-10}" ]; do
  sort /tmp/joulediff-sort/input.txt > /tmp/joulediff-sort/sorted.txt
  round=$((round + 1))
done
sort -c /tmp/joulediff-sort/sorted.txt
