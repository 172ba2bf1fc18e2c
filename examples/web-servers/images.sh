#!/bin/sh
# Usage: images.sh [TAG]
# The image of this example, of the same programs that run natively.
set -eu
cd "$(dirname "$0")"
modules=/usr/lib/apache2/modules
../image-of-programs.sh "web-local:${1:-latest}" nginx apache2 \
  "$modules/mod_mpm_event.so" "$modules/mod_authz_core.so" "$modules/mod_dir.so"
