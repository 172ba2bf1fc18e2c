#!/bin/sh
# Usage: images.sh [TAG]
# The image of this example: busybox, which the work is done by anyway; the one that works is that of system/.
set -eu
cd "$(dirname "$0")"
../image-of-programs.sh "guest-local:${1:-latest}"
