#!/bin/sh
# Usage: images.sh [TAG]
# The image of this example, of the same program that runs natively.
set -eu
cd "$(dirname "$0")"
../image-of-programs.sh "unixbench-local:${1:-latest}" stress-ng
