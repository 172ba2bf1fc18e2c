#!/bin/sh
# The same program everywhere: the busybox of system/, with which this is started too. It computes, and asks the kernel for little.
set -eu
busybox="${HERE:-.}/system/busybox"
"$busybox" dd if=/dev/zero bs=1M count="$MEGABYTES" 2> /dev/null | "$busybox" sha256sum | "$busybox" cut -c 1-16
echo "hashed: $MEGABYTES MB"
