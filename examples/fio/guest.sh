#!/bin/sh
# Usage: guest.sh [FOLDER]
# The guest of this example in system/, of the same programs that run natively. FOLDER: where Debian's kernel package is unpacked already.
set -eu
cd "$(dirname "$0")"
KERNEL=${1:-} ../guest-of-programs.sh system fio
# Its disk: as large as the file that is read and written needs, and sparse. What a run writes goes to a private file beside it, and is gone with the run.
rm -f system/disk.img
truncate -s "${DISK:-6G}" system/disk.img
/sbin/mke2fs -q -t ext4 -F system/disk.img
