#!/bin/sh
# Usage: build.sh [FOLDER]
# Builds Debian's source of Redis twice into FOLDER (build), with the same compiler and options: linked to glibc, and to musl. What is there
# already stays. Debian: apt-get install gcc libc6-dev make musl-tools; takes a minute of processor time, and 13 MB from Debian's archive.
set -eu
cd "$(dirname "$0")"
folder=${1:-build}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
[ -e "$folder/musl/redis-server" ] && [ -e "$folder/glibc/redis-server" ] && exit
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
# Lists of sources of our own: those of the machine stay as they are.
. /etc/os-release
echo "deb-src http://deb.debian.org/debian $VERSION_CODENAME main" > sources.list
mkdir -p lists/partial
chmod 755 .
from="-o Dir::Etc::sourcelist=$PWD/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$PWD/lists -o APT::Sandbox::User="
apt-get -qq $from update
apt-get -qq $from source --download-only redis
mkdir source
tar -xf redis_*.orig.tar.* -C source --strip-components=1
for libc in glibc musl; do
  compiler=gcc
  [ $libc = glibc ] || compiler=musl-gcc
  cp -r source $libc
  make -s -j "${JOBS:-$(nproc)}" -C $libc/src CC=$compiler MALLOC=libc USE_SYSTEMD=no OPTIMIZATION= DEBUG= \
    CFLAGS="${CFLAGS:--O2} -static" LDFLAGS=-static redis-server > $libc.log 2>&1 || { tail $libc.log >&2; exit 1; }
  mkdir -p "$folder/$libc"
  # At once, so that what is there is whole.
  cp $libc/src/redis-server "$folder/$libc/new"
  mv "$folder/$libc/new" "$folder/$libc/redis-server"
done
