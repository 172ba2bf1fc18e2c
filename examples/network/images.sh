#!/bin/sh
# Usage: images.sh [TAG]
# The image of this example, of the same programs that run natively.
set -eu
cd "$(dirname "$0")"
../image-of-programs.sh "network-local:${1:-latest}" iperf3 sockperf
