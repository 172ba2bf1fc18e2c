#!/bin/sh
# Usage: images.sh [TAG]
# The image of this example, of the same programs that run natively.
set -eu
cd "$(dirname "$0")"
plugins=$(ls -d /usr/lib/*/openmpi /usr/lib/*/pmix2/lib 2>/dev/null)
../image-of-programs.sh "hpcc-local:${1:-latest}" hpcc mpirun $plugins /usr/share/openmpi /etc/openmpi
