#!/bin/sh
# Usage: images.sh [TAG]
# Images that differ in nothing but the C library that Redis is linked to: redis-glibc and redis-musl; or those that BUILDS names.
set -eu
cd "$(dirname "$0")"
build=${REDIS_BUILD:-build}
./build.sh "$build"
for libc in ${BUILDS:-glibc musl}; do
  PATH=$(cd "$build/$libc" && pwd):$PATH ../image-of-programs.sh "redis-$libc:${1:-latest}" redis-server
done
