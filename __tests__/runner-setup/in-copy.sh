#!/bin/sh
# Runs install.sh in a copy of this machine that is thrown away, in mounts of its own and without a network. Its packages are the lines of a file.
# Prints what each call said, and what is there then.
#   in-copy.sh CHECKOUT interrupted   apt-get ends half way, and what came is removed
#   in-copy.sh CHECKOUT locked        apt-get can say nothing, or another runs meanwhile, for longer than is waited or not; then a package that was there before
#   in-copy.sh CHECKOUT again NODE    it runs again with other options, or after Node.js was moved
#   in-copy.sh CHECKOUT override      the owner changes the unit with a drop-in file
set -eu
mount -t tmpfs tmpfs /mnt
mkdir /mnt/up /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/up,workdir=/mnt/work /mnt/root
root=/mnt/root
mkdir -p $root/mnt/src $root/run
mount --bind /dev $root/dev
mount --bind "$1" $root/mnt/src
for folder in bin sbin local/bin local/sbin; do rm -rf $root/usr/$folder/curl $root/usr/$folder/dockerd $root/usr/$folder/node; done
rm -rf $root/usr/local/bin/* $root/opt/joulediff $root/var/lib/joulediff-* $root/etc/joulediff
# Covered, not removed: an engine of this machine may write there meanwhile.
for folder in docker containerd; do
  mkdir -p $root/var/lib/$folder
  mount -t tmpfs tmpfs $root/var/lib/$folder
done
sed -i '/^docker:/d' $root/etc/group $root/etc/gshadow

cat >$root/usr/local/bin/apt-get <<'END'
#!/bin/sh
case " $* " in
  *' -s install '*) exec test -e /sources ;;
  *' -s '*)
    [ ! -e /broken ] || { echo 'E: Unmet dependencies' >&2; exit 100; }
    for name; do ! grep -qx -e ".. $name" /packages || echo "Purg $name [1]"; done
    exit 0
    ;;
  # A lock that is held briefly has gone when it was waited for.
  *' DPkg::Lock::Timeout=120 '*) ! grep -qx briefly /locked 2>/dev/null || rm /locked ;;
esac
[ ! -e /locked ] || { echo 'E: Could not get lock' >&2; exit 100; }
case " $* " in
  *' purge '*) for name; do sed -i "/ $name\$/d" /packages; done ;;
  *' remove '*) for name; do sed -i "s/^.. $name\$/rc $name/" /packages; done ;;
  *' docker.io '*)
    sed -i '/ docker.io$/d' /packages
    echo 'ii docker.io' >>/packages
    groupadd --system -f docker
    ;;
  *' install '*)
    grep -q ' curl$' /packages || printf 'iF %s\n' curl libcurl >>/packages # not configured yet
    groupadd --system -f curlers
    . /how
    ;;
esac
END
cat >$root/usr/local/bin/dpkg-query <<'END'
#!/bin/sh
[ "$3" = '${db:Status-Abbrev}${Package}\n' ] && exec cat /packages
[ "$3" = '${db:Status-Abbrev}' ] && sed -n "s/^\(.. \)$4\$/\1/p" /packages
END
printf '#!/bin/sh\nprintf "%%s\\n" curl docker.io\n' >$root/usr/local/bin/apt-mark
chmod 755 $root/usr/local/bin/*

within() { env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot $root "$@"; }
setup() {
  echo "== $*"
  # The shell says itself that one was killed.
  { within sh /mnt/src/runner-setup/install.sh "$@" || echo "exit code $?"; } 2>&1
}
left() {
  echo '== left'
  cat $root/packages
  grep -o '^curlers\|^docker' $root/etc/group || true
  [ ! -e $root/var/lib/joulediff-setup ] || echo record
}
node_in() {
  mkdir -p "$root$1"
  printf '#!/bin/sh\necho 24.1.0\n' >"$root$1/node"
  chmod 755 "$root$1/node"
}
echo 'ii base' >$root/packages

case $2 in
  interrupted)
    # shellcheck disable=SC2016
    for how in 'exit 100' 'kill -9 $PPID' 'kill -9 $PPID; again'; do
      echo "${how%;*}" >$root/how
      setup --no-docker
      if [ "$how" != "${how%;*}" ]; then
        echo : >$root/how
        setup --no-docker
      fi
      setup --uninstall
      left
    done
    ;;
  locked)
    node_in /usr/local/bin
    setup --no-rapl
    : >$root/broken
    setup --uninstall
    rm $root/broken
    for how in for-long briefly; do
      echo $how >$root/locked
      setup --uninstall
      left
    done
    echo for-long >$root/locked
    setup --no-rapl
    : >$root/sources
    setup --no-rapl
    rm $root/locked
    setup --uninstall
    # Only its configuration is there.
    echo 'rc docker.io' >>$root/packages
    for _ in once again; do
      setup --no-rapl
      setup --uninstall
      left
    done
    ;;
  again)
    node_in /usr/local/bin
    setup --no-rapl --no-docker
    mkdir -p $root/opt/joulediff/bin
    mv $root/usr/local/bin/node $root/opt/joulediff/bin/node
    setup --no-rapl --no-docker
    echo '== the hook and the program'
    grep -h '^NODE=\|^exec ' $root/opt/joulediff/hooks/* $root/etc/joulediff/runner.conf $root/usr/local/bin/joulediff
    for mode in --dry-run --check; do
      echo "== $mode without root"
      { within setpriv --reuid=65534 --regid=65534 --clear-groups sh /mnt/src/runner-setup/install.sh $mode --no-rapl --no-docker || echo "exit code $?"; } 2>&1
    done
    cpu=$root/sys/devices/system/cpu
    mkdir -p $cpu/cpufreq $cpu/smt
    echo 1 >$cpu/cpufreq/boost
    echo on >$cpu/smt/control
    for words in '--quiet-profile smt --meter-usb 1a86:7523' '' '--quiet-profile turbo --meter-usb 0403:6001:A1' ''; do
      # shellcheck disable=SC2086
      setup --no-rapl --no-docker $words
    done
    echo '== at the next start'
    cat $root/etc/tmpfiles.d/joulediff-quiet.conf $root/etc/udev/rules.d/71-joulediff.rules
    # One that only root can reach.
    rm $root/opt/joulediff/bin/node
    mkdir -p $root/opt/private
    : >$root/opt/private/node
    mount --bind "$3" $root/opt/private/node
    chmod 700 $root/opt/private
    ln -s /opt/private/node $root/usr/local/bin/node
    setup --dry-run --no-docker
    ;;
  override)
    node_in /usr/local/bin
    setup --no-rapl --no-docker --forge gitea
    mkdir $root/etc/systemd/system/joulediff-gitea-runner.service.d
    setup --no-rapl --no-docker --forge gitea
    setup --uninstall
    setup --no-rapl --no-docker --forge gitea
    ;;
esac
