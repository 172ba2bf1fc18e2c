#!/bin/sh
# Usage: images.sh [TAG]
# Two images of memcpy.c and answer.c, by the same compiler with the same options, that differ in nothing but the C library; and in build/ the
# client of answer.c, which is the same for both.
set -eu
cd "$(dirname "$0")"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
for libc in glibc musl; do
  compiler=gcc
  [ $libc = glibc ] || compiler=musl-gcc
  for program in memcpy answer; do $compiler -O2 -static -o "$build/$program" $program.c; done
  PATH=$build:$PATH ../image-of-programs.sh "memcpy-$libc:${1:-latest}" memcpy answer
  if [ $libc = glibc ]; then mkdir -p build && cp "$build/answer" build/answer; fi
done
