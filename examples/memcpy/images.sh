#!/bin/sh
# Usage: images.sh [TAG]
# Two images of memcpy.c, by the same compiler with the same options, that differ in nothing but the C library.
set -eu
cd "$(dirname "$0")"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
gcc -O2 -static -o "$build/memcpy" memcpy.c
PATH=$build:$PATH ../image-of-programs.sh "memcpy-glibc:${1:-latest}" memcpy
musl-gcc -O2 -static -o "$build/memcpy" memcpy.c
PATH=$build:$PATH ../image-of-programs.sh "memcpy-musl:${1:-latest}" memcpy
