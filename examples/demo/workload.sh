# A miniature of a day's log processing: generates numbers, sorts, compresses, unpacks and hashes them.
# Run with `busybox sh`, so every program in it is that one file, natively and in the container.
set -eu

lines=700000
expected=57bbb5c3f3453be6e9545bdb83f638935543cbf412193046288e73e614421634

digest=$(
  busybox awk -v lines="$lines" 'BEGIN { x = 1; for (i = 0; i < lines; i++) { x = (x * 16807) % 2147483647; print x } }' |
    busybox sort | busybox gzip -c | busybox gunzip -c | busybox sha256sum
)

# A run counts only if the work was done, with the same result in both places.
if [ "$digest" != "$expected  -" ]; then
  echo "the workload computed $digest instead of $expected" >&2
  exit 1
fi
