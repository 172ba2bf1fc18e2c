#!/bin/sh
# Runs install.sh where apt-get ends half way, and then removes what came: in a copy of this machine that is thrown away, in mounts of its own and
# without a network, whose packages are the lines of a file. Prints what each call said, and which packages and groups are there at the end.
#   interrupted.sh CHECKOUT
set -eu
mount -t tmpfs tmpfs /mnt
mkdir /mnt/up /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/up,workdir=/mnt/work /mnt/root
root=/mnt/root
mkdir -p $root/mnt/src $root/run
mount --bind /dev $root/dev
mount --bind "$1" $root/mnt/src
rm -rf $root/usr/bin/curl $root/usr/sbin/curl $root/usr/local/bin/* $root/usr/bin/node $root/opt/joulediff $root/var/lib/joulediff-*

cat >$root/usr/local/bin/apt-get <<'END'
#!/bin/sh
case " $* " in
  *' -s '*) for name; do ! grep -qxF -e "$name" /packages || echo "Purg $name [1]"; done ;;
  *' purge '*) for name; do sed -i "/^$name\$/d" /packages; done ;;
  *' install '*)
    grep -qx curl /packages || printf '%s\n' curl libcurl >>/packages
    groupadd --system -f curlers
    . /how
    ;;
esac
END
cat >$root/usr/local/bin/dpkg-query <<'END'
#!/bin/sh
case $3 in
  *Status*) ! grep -qxF "$4" /packages || echo 'iF ' ;; # not configured yet
  *) cat /packages ;;
esac
END
printf '#!/bin/sh\necho curl\n' >$root/usr/local/bin/apt-mark
chmod 755 $root/usr/local/bin/*

setup() {
  echo "== $*"
  # The shell says itself that one was killed.
  { env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot $root sh /mnt/src/runner-setup/install.sh "$@" || echo "exit code $?"; } 2>&1
}

# shellcheck disable=SC2016
for how in 'exit 100' 'kill -9 $PPID' 'kill -9 $PPID; again'; do
  echo base >$root/packages
  echo "${how%;*}" >$root/how
  setup --no-docker
  if [ "$how" != "${how%;*}" ]; then
    echo : >$root/how
    setup --no-docker
  fi
  setup --uninstall
  echo '== left'
  cat $root/packages
  grep -o '^curlers' $root/etc/group || true
done
