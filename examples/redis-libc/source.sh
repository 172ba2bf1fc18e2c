#!/bin/sh
# Usage: source.sh [FOLDER]
# Brings the source of this system's Redis, of Debian or Ubuntu, into FOLDER (build): 13 MB from its archive. What is there already stays.
set -eu
cd "$(dirname "$0")"
folder=${1:-build}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
[ -e "$folder/redis.tar.gz" ] && exit
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
. /etc/os-release
# Lists of sources of our own: those of the machine stay as they are.
case $ID in
  ubuntu) echo "deb-src http://archive.ubuntu.com/ubuntu $VERSION_CODENAME main universe" > sources.list ;;
  *) echo "deb-src http://deb.debian.org/debian $VERSION_CODENAME main" > sources.list ;;
esac
mkdir -p lists/partial
from="-o Dir::Etc::sourcelist=$PWD/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$PWD/lists -o APT::Sandbox::User="
apt-get -qq $from update
apt-get -qq $from source --download-only redis
cp redis_*.orig.tar.gz "$folder/new.tar.gz"
mv "$folder/new.tar.gz" "$folder/redis.tar.gz"
