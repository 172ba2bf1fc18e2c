#!/bin/sh
# Usage: images.sh [TAG]
# The image of joulediff.yml, of the same program that runs natively; and those of shell.yml, with the tools of GNU and with busybox's.
set -eu
cd "$(dirname "$0")"
../image-of-programs.sh "unixbench-local:${1:-latest}" stress-ng
../image-of-programs.sh "shell-gnu:${1:-latest}" sh seq sort od grep tee wc rm
../image-of-programs.sh "shell-busybox:${1:-latest}"
