#!/bin/sh
# Usage: images.sh [TAG]
# The image of this example, of the same Java runtime that runs natively, without what only windows and sound need.
set -eu
cd "$(dirname "$0")"
java=$(readlink -f "$(command -v java)")
home=${java%/bin/java}
set -- "javac-local:${1:-latest}" "$home/bin/java" "$home/conf" "$home/lib/modules" "$home/lib/server" "$home/lib/jvm.cfg"
for library in java jimage jli jsvml management management_ext net nio syslookup verify zip; do
  if [ -e "$home/lib/lib$library.so" ]; then set -- "$@" "$home/lib/lib$library.so"; fi
done
../image-of-programs.sh "$@"
