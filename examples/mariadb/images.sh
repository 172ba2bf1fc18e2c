#!/bin/sh
# Usage: images.sh [TAG]
# The image of this example, of the same program that runs natively.
set -eu
cd "$(dirname "$0")"
../image-of-programs.sh "mariadb-local:${1:-latest}" mariadbd /usr/share/mysql/charsets /usr/share/mysql/english
