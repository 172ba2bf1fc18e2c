#!/bin/sh
# Before each job of the measuring runner, as root: gives it a home of its own, so that nothing in it is an earlier job's, and for GitHub's runner its
# program in it. The program's files stay root's: a job can change neither them nor what the next one finds.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
: "${RUNNER_USER:?is set by the unit}"
jobs=${JOULEDIFF_JOBS:-/var/lib/joulediff-jobs}
cd "$jobs"
rm -rf --one-file-system home
mkdir -m 700 home
if [ -d actions-runner ]; then
  cp -al actions-runner home/
  # Its settings and logs lie beside its program.
  chown "$RUNNER_USER" home/actions-runner
fi
chown "$RUNNER_USER" home
