#!/bin/sh
# Usage: images.sh [TAG]
# The image of this example, in Docker's engine.
set -eu
cd "$(dirname "$0")"
../image-of-programs.sh "engines-local:${1:-latest}" stress-ng
