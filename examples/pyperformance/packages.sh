#!/bin/sh
# Brings the benchmarks and what runs them from PyPI into ./packages. Debian: apt-get install python3-pip
set -eu
cd "$(dirname "$0")"
[ -d packages ] && exit
/usr/bin/python3 -m pip install -q --no-deps --target packages.new pyperformance==1.14.0 pyperf==2.10.0
mv packages.new packages
