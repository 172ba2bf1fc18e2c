#!/bin/sh
# Runs install.sh in a copy of this system (or of the root that JOULEDIFF_DEBIAN_ROOT names) that is thrown away: an overlay in mounts of its
# own. Prints what each call said, and in the end each file that differs from what was there before.
#   in-overlay.sh CHECKOUT NODE [options of install.sh…]
set -eu
checkout=$1
node=$2
shift 2
lower=${JOULEDIFF_DEBIAN_ROOT:-/}
mount -t tmpfs tmpfs /mnt
mkdir /mnt/up /mnt/work /mnt/root
mount -t overlay overlay -o "lowerdir=$lower,upperdir=/mnt/up,workdir=/mnt/work" /mnt/root
root=/mnt/root
mount -t proc proc $root/proc
mount --bind /dev $root/dev
# A machine with systemd, though it does not run, a program for Braille displays, and a rule of its owner in our place.
mkdir -p $root/mnt/src $root/lib/systemd/system $root/etc/udev/rules.d $root/usr/local/bin
mount --bind "$checkout" $root/mnt/src
cp "$node" $root/usr/local/bin/node
: >$root/lib/systemd/system/brltty-udev.service
: >$root/lib/systemd/system/apt-daily.timer
echo '# mine' >$root/etc/udev/rules.d/71-joulediff.rules
printf '/%s\n' usr/local/bin/node lib/systemd/system/brltty-udev.service lib/systemd/system/apt-daily.timer etc/udev/rules.d/71-joulediff.rules >/mnt/mine
cp -a /mnt/up /mnt/before

setup() {
  echo "== $*"
  # Without Node's variables of a test, and the certificates that they name.
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot $root sh /mnt/src/runner-setup/install.sh "$@" 2>&1 || echo "exit code $?"
}
setup --dry-run "$@"
echo "== files"
diff -rq /mnt/before /mnt/up || true
setup --check "$@"
setup "$@"
setup "$@"
setup --check "$@"
echo "== installed"
env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin chroot $root sh -c '
  joulediff --version; id -nG joulediff-runner; id -nG joulediff-work; stat -c "%a %U" /var/lib/joulediff-runner
  readlink /etc/systemd/system/brltty-udev.service; cat /etc/udev/rules.d/71-joulediff.rules /etc/systemd/system/joulediff-gitea-runner.service'
echo ALLOW_FORKS=yes >>$root/etc/joulediff/runner.conf
setup "$@"
setup --uninstall
echo "== left"
find /mnt/up -type f ! -path '/mnt/up/var/log/*' ! -path '/mnt/up/tmp/*' ! -name '*-' ! -name .pwd.lock | while read -r path; do
  file=${path#/mnt/up}
  cmp -s "$path" "/mnt/before$file" || cmp -s "$path" "$lower$file" || echo "$file"
done
find /mnt/up \( -type c -o -type l \) | sed 's|^/mnt/up|gone or a link: |'
setup --uninstall
