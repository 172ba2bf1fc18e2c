#!/bin/sh
# Each command of Redis by itself, as a phase of the run; and what it took of the server's processor time, which says the same of the C library
# on a machine that is busy with something else.
set -eu
used() {
  redis-cli -p 16380 info cpu | tr -d '\r' | awk -F: '/^used_cpu_(sys|user):/ { used += $2 } END { printf "%.6f", used }'
}
for command in $COMMANDS; do
  case $command in
    # As redis-benchmark's own, but without the LPUSHs that fill its list: prepare did that.
    lrange_*) asked="lrange long 0 $((${command#lrange_} - 1))" ;;
    *) asked="-t $command" ;;
  esac
  echo "::joulediff phase $command"
  before=$(used)
  redis-benchmark -p 16380 -n "$REQUESTS" -c 50 -q $asked
  echo "$command $before $(used)" |
    awk -v n="$REQUESTS" '{ printf "%s: %.2f µs of processor time a request\n", $1, ($3 - $2) * 1e6 / n }'
done
echo "::joulediff end"
