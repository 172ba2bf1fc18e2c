#!/bin/sh
# Usage: images.sh [TAG]
# The image of this example, of the same programs that run natively.
set -eu
cd "$(dirname "$0")"
root=$(ls -d /usr/lib/postgresql/* | tail -n 1)
../image-of-programs.sh "postgresql-local:${1:-latest}" "$root/bin/postgres" "$root/bin/initdb" \
  "$root/lib/dict_snowball.so" "$root/lib/plpgsql.so" "/usr/share/postgresql/${root##*/}" /usr/share/zoneinfo
