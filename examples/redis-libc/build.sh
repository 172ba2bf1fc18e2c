#!/bin/sh
# Usage: build.sh [FOLDER]
# Builds the source of Redis in FOLDER (build), with the same compiler and options: linked to glibc, and to musl. BUILDS names others: with
# glibc-jemalloc and musl-jemalloc, memory is Redis's own allocator's, not the C library's. What is there already stays. Debian: apt-get install gcc libc6-dev make musl-tools; takes a minute of processor time.
set -eu
cd "$(dirname "$0")"
folder=${1:-build}
./source.sh "$folder"
folder=$(cd "$folder" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
for libc in ${BUILDS:-glibc musl}; do
  [ -e "$folder/$libc/redis-server" ] && continue
  case $libc in musl*) compiler=musl-gcc ;; *) compiler=gcc ;; esac
  case $libc in *-jemalloc) allocator=jemalloc ;; *) allocator=libc ;; esac
  mkdir -p $libc "$folder/$libc"
  tar -xf "$folder/redis.tar.gz" -C $libc --strip-components=1
  make -s -j "$(nproc)" -C $libc/src CC=$compiler MALLOC=$allocator USE_SYSTEMD=no OPTIMIZATION= DEBUG= \
    CFLAGS="${CFLAGS:--O2} -static" LDFLAGS=-static redis-server > $libc.log 2>&1 || { tail $libc.log >&2; exit 1; }
  # At once, so that what is there is whole.
  cp $libc/src/redis-server "$folder/$libc/new"
  mv "$folder/$libc/new" "$folder/$libc/redis-server"
done
