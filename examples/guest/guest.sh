#!/bin/sh
# Usage: guest.sh [FOLDER]
# Makes the guest of this example in system/, and puts the busybox there that runs everywhere. FOLDER: where Debian's kernel package is unpacked already.
set -eu
cd "$(dirname "$0")"
KERNEL=${1:-} ../guest-of-programs.sh system
cp "$(command -v busybox)" system/busybox
