#!/usr/bin/env -S -i GITHUB_EVENT_NAME=${GITHUB_EVENT_NAME} GITHUB_EVENT_PATH=${GITHUB_EVENT_PATH} /bin/sh
# shellcheck shell=sh
# Before each job of the measuring runner. Refuses code that may come from a fork unless the owner of the machine allows it, refuses while an
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

# Unless the event proves that the code comes from this repository, it is treated as a fork's: the table of src/forge/code-origin.ts.
if [ "${1-}" != before ] && [ "$ALLOW_FORKS" != yes ]; then
  # shellcheck disable=SC2016
  from=$(/usr/bin/env -i "$NODE" -e '
    const [, name, file] = process.argv;
    const event = JSON.parse(require("fs").readFileSync(file, "utf8"));
    const { pull_request: pull, workflow_run: run, repository } = event;
    const ownEvents = ["push", "create", "schedule", "release", "merge_group", "workflow_dispatch", "repository_dispatch"];
    const codeName = /(?:^|_)(?:pr|pull|fork|head|ref|sha|commit|revision|repo|repository|issue)(?:_|\d|$)/i;
    const codeValue = /\bpull\/\d|^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i;
    const repositories = [repository?.full_name, pull?.base?.repo?.full_name].filter((one) => one != null);
    const isSame = (a, b) => typeof a === "string" && typeof b === "string" && a.toLowerCase() === b.toLowerCase();
    const isOwn = (given) => repositories.length > 0 && repositories.every((one) => isSame(one, given));
    const choosesCode = (inputs) => typeof inputs !== "object" || Object.entries(inputs).some(([key, value]) =>
      (codeName.test(key.replace(/([a-z])([A-Z])/g, "$1_$2").replaceAll("-", "_")) && !["", null, false].includes(value)) ||
      codeValue.test(String(value)));
    const isEmpty = (value) => value == null || (typeof value === "object" && Object.keys(value).length === 0);
    const origin = () => {
      if (name === "" || typeof event !== "object" || Array.isArray(event)) return "unreadable";
      if (pull != null) {
        if (typeof pull.base?.repo?.full_name !== "string") return "unreadable";
        return isOwn(pull.head?.repo?.full_name) ? "own" : "fork";
      }
      if (name.startsWith("pull_request")) return "unreadable";
      if (name === "workflow_run") {
        if (!isOwn(run?.head_repository?.full_name)) return "fork";
        return !/@refs\/pull\//.test(run.path) && ["pull_request", ...ownEvents].includes(run.event) ? "own" : "unproved";
      }
      const ref = event.ref ?? (name === "workflow_dispatch" ? null : "refs/heads/");
      if (!ownEvents.includes(name) || typeof ref !== "string" || /^refs\/(?!heads\/|tags\/)/.test(ref)) return "unproved";
      if (name === "merge_group") return /^refs\/heads\/gh-readonly-queue\//.test(event.merge_group?.head_ref) ? "own" : "unproved";
      if (name === "repository_dispatch") return isEmpty(event.client_payload) ? "own" : "unproved";
      return choosesCode(event.inputs ?? {}) ? "unproved" : "own";
    };
    console.log(origin());
  ' "${GITHUB_EVENT_NAME-}" "${GITHUB_EVENT_PATH-}" 2>/dev/null) || from=unreadable
  remedy='Its owner may set ALLOW_FORKS=yes in /etc/joulediff/runner.conf; better, measure it after a review, from a branch of the repository.'
  case $from in
    own) ;;
    fork) refuse "This machine runs no pull request of a fork: anybody could run anything on it. $remedy" ;;
    unproved) refuse "This machine runs no code that may come from a fork, and the event of this job does not prove that it comes from this repository. $remedy" ;;
    *)
      /usr/bin/env -i "$NODE" -e 'process.exit(Number.parseInt(process.versions.node) < 24 ? 1 : 0)' >/dev/null 2>&1 ||
        refuse "This machine can read the event of no job: $NODE is no Node.js 24 that $(id -un) can run. Its owner takes NODE out of /etc/joulediff/runner.conf, if it is there, and starts runner-setup/install.sh again."
      refuse 'This machine runs no job whose event it cannot read (its owner may set ALLOW_FORKS=yes in /etc/joulediff/runner.conf).'
      ;;
  esac
fi

# In a job's log joulediff tells nothing of the experiment that is measured, which may belong to another repository.
if [ "${1-}" != before ]; then
  GITHUB_ACTIONS=true
  export GITHUB_ACTIONS
fi
idle=--idle
if [ "$WHEN_BUSY" = wait ]; then idle=; fi
# shellcheck disable=SC2086
"$JOULEDIFF" clean $idle || case $? in
  126 | 127) refuse "$JOULEDIFF cannot be run on this machine: see above. Its owner starts runner-setup/install.sh again." ;;
  *) refuse 'Another experiment is being measured on this machine, or what an earlier one left could not be removed: see above.' ;;
esac
