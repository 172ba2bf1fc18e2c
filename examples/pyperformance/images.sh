#!/bin/sh
# Usage: images.sh [TAG]
# The image of this example, of the same Python that runs natively; what it runs comes from PyPI, and is mounted.
set -eu
cd "$(dirname "$0")"
./packages.sh
../image-of-programs.sh "python-local:${1:-latest}" /usr/bin/python3 \
  "$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')"
