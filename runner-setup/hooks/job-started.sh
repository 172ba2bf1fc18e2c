#!/bin/sh
# Before each job of the measuring runner (ACTIONS_RUNNER_HOOK_JOB_STARTED of the runners of GitHub and Gitea; ExecStartPre of the others' units).
# Refuses the pull request of a fork unless the owner of the machine allows it, refuses while an experiment is measured,
# and removes what a killed experiment left. What it refuses never runs: any exit code but 0 ends the job.
set -eu
# Named here and nowhere else: a job may set variables, but not the rules that it is held to.
conf=/etc/joulediff/runner.conf
ALLOW_FORKS=no
WHEN_BUSY=refuse
JOULEDIFF=joulediff
NODE=node
# shellcheck source=/dev/null
if [ -r "$conf" ]; then . "$conf"; fi

refuse() {
  printf '::error::%s\n' "$1"
  exit 1
}

# Names of the two repositories of a pull request, where the event has one. What can't be read is refused.
case ${GITHUB_EVENT_NAME-} in
  pull_request*)
    if [ "$ALLOW_FORKS" != yes ]; then
      # shellcheck disable=SC2016
      from=$(/usr/bin/env -i "$NODE" -e '
        const { head, base } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).pull_request;
        if (typeof base.repo.full_name !== "string") throw new Error();
        console.log(head.repo?.full_name === base.repo.full_name ? "own" : "fork");' "${GITHUB_EVENT_PATH-}" 2>/dev/null) || from=unknown
      [ "$from" != unknown ] ||
        refuse 'This machine runs no pull request whose event it cannot read (its owner may set ALLOW_FORKS=yes in /etc/joulediff/runner.conf).'
      [ "$from" = own ] ||
        refuse 'This machine runs no pull request of a fork: anybody could run anything on it. Its owner may set ALLOW_FORKS=yes in /etc/joulediff/runner.conf; better, measure it after a review, from a branch of the repository.'
    fi
    ;;
esac

idle=--idle
if [ "$WHEN_BUSY" = wait ]; then idle=; fi
# shellcheck disable=SC2086
"$JOULEDIFF" clean $idle || refuse 'Another experiment is being measured on this machine, or what an earlier one left could not be removed: see above.'
