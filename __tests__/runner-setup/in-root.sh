#!/bin/sh
# Runs install.sh in a fresh system that is thrown away: an overlay over a debootstrapped root, in mounts of its own and without a network.
# Prints what each call said, and how the whole root (each path with kind, rights and owner, and the digest of what is otherwise than in ROOT)
# was before and is after.
#   in-root.sh ROOT CHECKOUT REGISTRY [options of install.sh…]
set -eu
lower=$1
checkout=$2
registry=$3
shift 3
mount -t tmpfs tmpfs /mnt
mkdir /mnt/up /mnt/work /mnt/root
mount -t overlay overlay -o "lowerdir=$lower,upperdir=/mnt/up,workdir=/mnt/work" /mnt/root
root=/mnt/root
mount -t proc proc $root/proc
mount --bind /dev $root/dev
mount -t tmpfs tmpfs $root/run
mkdir -p $root/mnt/src $root/mnt/registry
mount --bind "$checkout" $root/mnt/src
mount --bind "$registry" $root/mnt/registry

# Nothing boots here, so systemd is a program that remembers what was started, and writes down what it was asked for. Whatever a unit does
# when it runs is beyond this test.
mkdir -p $root/run/systemd/system $root/run/fake
echo brltty.service >$root/run/fake/active
cat >$root/usr/bin/systemctl <<'END'
#!/bin/sh
echo "$*" >>/run/fake/asked
for unit; do :; done
case " $* " in
  *' is-active '*) grep -qxF "$unit" /run/fake/active ;;
  *' stop '*) sed -i "/^$unit\$/d" /run/fake/active ;;
  *' start '*) echo "$unit" >>/run/fake/active ;;
esac
END
chmod 755 $root/usr/bin/systemctl
echo 'Acquire::Retries "0";' >$root/etc/apt/apt.conf.d/99no-network
# debootstrap leaves it to whoever installs the machine.
[ -e $root/etc/hosts ] || echo '127.0.0.1 localhost' >$root/etc/hosts
# Packages start no services: there is nothing to start them with.
printf '#!/bin/sh\nexit 101\n' >$root/usr/sbin/policy-rc.d
chmod 755 $root/usr/sbin/policy-rc.d
# A machine with what it is about: a processor with its switches, RAPL, a program for Braille displays, timers, and a rule of its owner in our place.
mount -t tmpfs tmpfs $root/sys
cpu=$root/sys/devices/system/cpu
mkdir -p $cpu/intel_pstate $cpu/cpufreq/policy0 $cpu/cpufreq/policy1 $cpu/smt $root/sys/class/powercap/intel-rapl:0
echo 0 >$cpu/intel_pstate/no_turbo
echo powersave >$cpu/cpufreq/policy0/scaling_governor
echo schedutil >$cpu/cpufreq/policy1/scaling_governor
echo on >$cpu/smt/control
echo 1 >$root/sys/class/powercap/intel-rapl:0/energy_uj
chmod 400 $root/sys/class/powercap/intel-rapl:0/energy_uj
mkdir -p $root/usr/lib/systemd/system $root/etc/udev/rules.d
for unit in brltty-udev.service brltty.service apt-daily.timer man-db.timer; do : >$root/usr/lib/systemd/system/$unit; done
echo '# mine' >$root/etc/udev/rules.d/71-joulediff.rules

within() { env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root npm_config_registry=file:///mnt/registry chroot $root "$@"; }
setup() {
  echo "== $*"
  within sh /mnt/src/runner-setup/install.sh "$@" 2>&1 || echo "exit code $?"
}
# Without the books of apt and dpkg, whose entries change while the packages don't, and the copies that useradd and its like keep of the file before.
found() {
  where=$1
  shift
  find "$where" -xdev \( -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./var/cache -o -path ./var/log -o -path ./tmp -o -path ./mnt -o -path ./run \) -prune -o \
    ! -name '*-' ! -name .pwd.lock "$@"
}
listing() {
  # shellcheck disable=SC2016
  within dpkg-query -W -f '${Package} ${Status}\n' | grep -v 'not-installed$' | sort
  cat $root/run/fake/active
  cd $root
  for part in . sys; do found $part -printf '%p %y %m %U:%G %l\n' | sort; done
  found sys -type f -print0 | sort -z | xargs -0 sha256sum
  # What was written lies in the upper folder, and it alone; some of it is as it was again. What is large comes from packages.
  cd /mnt/up
  found . -type f -size +1024k -printf '%p %s %t\n' | sort
  # shellcheck disable=SC2016
  found . -type f ! -size +1024k -print0 | sort -z |
    xargs -0 sh -c 'lower=$1; shift; for file; do [ -e "$lower/$file" ] && cmp -s "$file" "$lower/$file" || printf "%s\0" "$file"; done' sh "$lower" |
    xargs -0 sha256sum
  cd /
}

listing >/mnt/before
setup --dry-run "$@"
listing >/mnt/now
echo '== changed by looking'
diff /mnt/before /mnt/now || true
setup --check "$@"
setup "$@"
listing >/mnt/now
setup "$@"
echo '== changed by a second time'
listing | diff /mnt/now - || true
setup --check "$@"
echo '== installed'
# shellcheck disable=SC2016
within sh -c '
  NODE_DISABLE_COMPILE_CACHE=1 joulediff --version; id -nG joulediff-runner; id -nG joulediff-work; stat -c "%a %U" /var/lib/joulediff-runner
  grep . /sys/devices/system/cpu/*/no_turbo /sys/devices/system/cpu/cpufreq/*/scaling_governor /sys/devices/system/cpu/smt/control
  stat -c "%a %G" /sys/class/powercap/intel-rapl:0/energy_uj
  cd /etc/systemd/system; for link in *; do [ ! -L "$link" ] || echo "$link $(readlink "$link")"; done
  cat /etc/udev/rules.d/71-joulediff.rules /etc/systemd/system/joulediff-*.service /etc/joulediff/*; cat /etc/tmpfiles.d/joulediff-quiet.conf || true' 2>/dev/null
echo ALLOW_FORKS=yes >>$root/etc/joulediff/runner.conf
setup "$@"
echo mine >$root/var/lib/joulediff-runner/mine
setup --uninstall
rm -r $root/var/lib/joulediff-runner
listing >/mnt/now
echo '== left'
diff /mnt/before /mnt/now || true
setup --uninstall

# An administrator who installs something later that needs one of our packages, and keeps volumes.
[ -n "${LATER-}" ] || exit 0
# A home that an earlier set-up left: it is taken over.
mkdir -p $root/var/lib/joulediff-runner/.local/state/joulediff
echo key >$root/var/lib/joulediff-runner/.local/state/joulediff/digest-key
chown -R 4242:4242 $root/var/lib/joulediff-runner
chown root $root/var/lib/joulediff-runner
setup "$@" >/dev/null
echo '== taken over'
within stat -c '%U:%G %n' /var/lib/joulediff-runner /var/lib/joulediff-runner/.local/state/joulediff/digest-key
mkdir -p $root/mnt/theirs/DEBIAN $root/var/lib/docker/volumes
printf 'Package: theirs\nVersion: 1\nArchitecture: all\nMaintainer: me <me@example.com>\nDepends: ca-certificates\nDescription: theirs\n' >$root/mnt/theirs/DEBIAN/control
dpkg-deb -b $root/mnt/theirs $root/mnt/theirs.deb >/dev/null
within dpkg -i /mnt/theirs.deb >/dev/null
echo precious >$root/var/lib/docker/volumes/precious
echo '== refused'
before=$(listing | sha256sum)
for words in '--dry-run --uninstall' '--uninstall --dry-run' '--uninstall --check' '--uninstall --help'; do
  # shellcheck disable=SC2086
  within sh /mnt/src/runner-setup/install.sh $words >/dev/null 2>&1 || echo "exit code $?"
done
[ "$before" = "$(listing | sha256sum)" ] || echo changed
setup --uninstall
echo '== kept'
# shellcheck disable=SC2016
within dpkg-query -W -f '${Package} ${Status}\n' theirs ca-certificates openssl docker.io curl 2>/dev/null | grep ' installed$'
cat $root/var/lib/docker/volumes/precious
