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
# Lists of sources of our own, of the archive that this machine's packages come from: its lists stay as they are.
archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
case $ID in ubuntu) components='main universe' ;; *) components=main ;; esac
echo "deb-src $archive $VERSION_CODENAME $components" > sources.list
mkdir -p lists/partial
from="-o Dir::Etc::sourcelist=$PWD/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$PWD/lists -o APT::Sandbox::User="
apt-get -qq $from update
apt-get -qq $from source --download-only redis
cp redis_*.orig.tar.gz "$folder/new.tar.gz"
mv "$folder/new.tar.gz" "$folder/redis.tar.gz"
