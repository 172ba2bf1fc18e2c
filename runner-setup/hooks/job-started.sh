#!/usr/bin/env -S -i GITHUB_EVENT_NAME=${GITHUB_EVENT_NAME} GITHUB_EVENT_PATH=${GITHUB_EVENT_PATH} /bin/sh
# shellcheck shell=sh
# Before each job of the measuring runner. Refuses the pull request of a fork unless the owner of the machine allows it, refuses while an
# experiment is measured, and removes what a killed experiment left. What it refuses never runs: any exit code but 0 ends the job.
#   job-started.sh            in a job, before its first step (GitHub's runner, and Gitea's by the name job-started)
#   job-started.sh before     before there is a job with an event (ExecStartPre of the units)
# A job may set variables where Gitea's runner starts this, so nothing but the event is taken from them, not even by the shell.
set -eu
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
export PATH HOME
conf=/etc/joulediff/runner.conf
ALLOW_FORKS=no
WHEN_BUSY=refuse
JOULEDIFF=joulediff
NODE=node
# What else the owner sets there, such as XDG_STATE_HOME, is for joulediff.
set -a
# shellcheck source=/dev/null
if [ -r "$conf" ]; then . "$conf"; fi
set +a

refuse() {
  printf '::error::%s\n' "$1"
  exit 1
}

# Names of the two repositories of a pull request, where the event has one. What can't be read is refused.
if [ "${1-}" != before ] && [ "$ALLOW_FORKS" != yes ]; then
  # shellcheck disable=SC2016
  from=$(/usr/bin/env -i "$NODE" -e '
    const [, name, file] = process.argv;
    const { pull_request: pull } = JSON.parse(require("fs").readFileSync(file, "utf8"));
    if (name === "" || (pull ? typeof pull.base.repo.full_name !== "string" : name.startsWith("pull_request"))) throw new Error();
    console.log(!pull || pull.head.repo?.full_name === pull.base.repo.full_name ? "own" : "fork");
  ' "${GITHUB_EVENT_NAME-}" "${GITHUB_EVENT_PATH-}" 2>/dev/null) || from=unknown
  case $from in
    own) ;;
    fork)
      refuse 'This machine runs no pull request of a fork: anybody could run anything on it. Its owner may set ALLOW_FORKS=yes in /etc/joulediff/runner.conf; better, measure it after a review, from a branch of the repository.'
      ;;
    *) refuse 'This machine runs no job whose event it cannot read (its owner may set ALLOW_FORKS=yes in /etc/joulediff/runner.conf).' ;;
  esac
fi

idle=--idle
if [ "$WHEN_BUSY" = wait ]; then idle=; fi
# shellcheck disable=SC2086
"$JOULEDIFF" clean $idle || refuse 'Another experiment is being measured on this machine, or what an earlier one left could not be removed: see above.'
