#!/bin/sh
# Writes the same pseudo-random lines everywhere, with any awk (Park and Miller's generator).
set -eu
folder=${TMPDIR:-/tmp}/joulediff-sort
mkdir -p "${TMPDIR:-/tmp}"
# Nobody else may have made it, to lead the files elsewhere.
mkdir -m 700 "$folder" 2> /dev/null || { [ -O "$folder" ] && [ ! -L "$folder" ]; }
awk -v lines="${LINES:-2000000}" 'BEGIN {
  x = 20240607
  for (i = 0; i < lines; i++) { x = (x * 16807) % 2147483647; printf "%010d\n", x }
}' > "$folder/input.txt"
