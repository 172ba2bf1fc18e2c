#!/bin/sh
# Sorts the input several times; fails if the result is not sorted.
set -eu
export LC_ALL=C
folder=${TMPDIR:-/tmp}/joulediff-sort
round=0
while [ "$round" -lt "${ROUNDS:-10}" ]; do
  sort "$folder/input.txt" > "$folder/sorted.txt"
  round=$((round + 1))
done
sort -c "$folder/sorted.txt"
