#!/bin/sh
# Usage: images.sh [TAG]
# The images of this example, of the same programs that run natively: Redis, and Memcached where it is installed.
set -eu
cd "$(dirname "$0")"
../image-of-programs.sh "redis-local:${1:-latest}" redis-server
if command -v memcached > /dev/null; then ../image-of-programs.sh "memcached-local:${1:-latest}" memcached; fi
