#!/bin/sh
# Usage: guest.sh [FOLDER]
# The guest of this example in system/, of the same programs that run natively. FOLDER: where Debian's kernel package is unpacked already.
set -eu
cd "$(dirname "$0")"
KERNEL=${1:-} ../guest-of-programs.sh system mariadbd /usr/share/mysql/charsets /usr/share/mysql/english
