#!/bin/sh
# Counts, and fails if it did not count far enough.
set -eu
round=0
while [ "$round" -lt "${ROUNDS:-10000000}" ]; do round=$((round + 1)); done
[ "$round" -ge "${ROUNDS:-10000000}" ]
