#!/usr/bin/env -S -i /bin/sh
# shellcheck shell=sh
# After each job of the measuring runner: removes what a killed experiment left. A job has its result by then, so nothing fails here.
set -eu
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
export PATH HOME
conf=/etc/joulediff/runner.conf
JOULEDIFF=joulediff
set -a
# shellcheck source=/dev/null
if [ -r "$conf" ]; then . "$conf"; fi
set +a
"$JOULEDIFF" clean || printf '::warning::What an earlier experiment left could not be removed.\n'
