#!/bin/sh
# After each job of the measuring runner: removes what a killed experiment left. A job has its result by then, so nothing fails here.
set -eu
conf=/etc/joulediff/runner.conf
JOULEDIFF=joulediff
# shellcheck source=/dev/null
if [ -r "$conf" ]; then . "$conf"; fi
"$JOULEDIFF" clean || printf '::warning::What an earlier experiment left could not be removed.\n'
