#!/bin/sh
# One job of GitHub's runner, just in time: asks for a configuration that is good for one job, and runs it.
# The token is root's. The runner and its jobs can't read it, except a job that may use Docker's engine: that is as good as root.
#   github-runner.sh token        root, before the runner
#   github-runner.sh run          the runner's user
set -eu
# Root's folder: what an earlier job left running could lay links in one of its own.
folder=${JOULEDIFF_GITHUB_FOLDER:-/run/joulediff-github}
config=$folder/jitconfig
case ${1-} in
  token)
    : "${GITHUB_SCOPE:?is set in /etc/joulediff/github.conf: repos/OWNER/REPOSITORY or orgs/OWNER}"
    : "${RUNNER_USER:?is set by the unit}"
    umask 077
    mkdir -p "$folder"
    chmod 755 "$folder"
    name=$(hostname)-$(date +%s)
    labels=$(printf '%s' "${RUNNER_LABELS:-joulediff}" | sed 's/[^A-Za-z0-9_.,-]//g; s/,/","/g')
    printf 'Authorization: Bearer %s\n' "$(cat "${GITHUB_TOKEN_FILE:-/etc/joulediff/github.token}")" >"$folder/header"
    answer=$(curl -fsS --retry 5 --max-time 60 -X POST -H @"$folder/header" -H 'Accept: application/vnd.github+json' \
      "${GITHUB_API:-https://api.github.com}/$GITHUB_SCOPE/actions/runners/generate-jitconfig" \
      -d "{\"name\":\"$name\",\"runner_group_id\":${RUNNER_GROUP:-1},\"labels\":[\"self-hosted\",\"$labels\"],\"work_folder\":\"_work\"}")
    rm -f "$folder/header"
    rm -f "$config"
    printf '%s' "$answer" | sed -n 's/.*"encoded_jit_config"[ ]*:[ ]*"\([A-Za-z0-9+/=]*\)".*/\1/p' >"$config"
    [ -s "$config" ] || { echo 'GitHub gave no configuration.' >&2; exit 1; }
    chown "$RUNNER_USER" "$config"
    ;;
  run)
    # An argument could be read by every user of the machine. The runner takes this variable out of its environment before it starts a job.
    ACTIONS_RUNNER_INPUT_JITCONFIG=$(cat "$config")
    export ACTIONS_RUNNER_INPUT_JITCONFIG
    : >"$config"
    exec "${RUNNER_HOME:-$HOME/actions-runner}/run.sh"
    ;;
  *)
    echo 'github-runner.sh token, or github-runner.sh run' >&2
    exit 2
    ;;
esac
