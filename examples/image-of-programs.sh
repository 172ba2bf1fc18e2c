#!/bin/sh
# Usage: image-of-programs.sh TAG PROGRAM|/PATH…
# Makes an image of this machine's own programs, the libraries that they need, busybox, and any files or folders (/PATH: plug-ins, data),
# without a registry: the same bytes run natively and in the container. Needs docker, busybox (statically linked, as Debian's busybox-static
# or busybox is) and ldd. With programs, the image has this machine's shell, too. TAG -: the archive goes to the standard output, for guest-of-programs.sh.
set -eu
tag=$1
shift
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/bin" "$root/tmp" "$root/data" "$root/etc"
chmod 1777 "$root/tmp"
cp "$(command -v busybox)" "$root/bin/busybox"
"$root/bin/busybox" --install "$root/bin"
echo 'root:x:0:0::/:/bin/sh' > "$root/etc/passwd"
echo 'nobody:x:65534:65534::/:/bin/sh' >> "$root/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' > "$root/etc/group"
copy_once() {
  mkdir -p "$root${1%/*}"
  [ -e "$root$1" ] || [ ! -e "$1" ] || cp -L --preserve=mode,timestamps "$1" "$root$1"
}
libraries_of() {
  ldd "$@" 2> /dev/null | grep -o '/[^ ]* (0x' | sed 's/ (0x$//' | sort -u | while read -r library; do
    copy_once "$library"
    # By name, when a thread is cancelled: nothing shows beforehand that it is needed.
    case $library in */libc.so.6) copy_once "${library%/*}/libgcc_s.so.1" ;; esac
  done
}
# BusyBox's shell would run its own commands instead of the programs of these names.
[ "$tag" = - ] || [ $# = 0 ] || set -- sh "$@"
for thing in "$@"; do
  case $thing in
    /*)
      [ -e "$thing" ] || { echo "There is no $thing here." >&2; exit 1; }
      mkdir -p "$root${thing%/*}"
      # With their times: Python, for one, compiles again whatever is newer than what it compiled.
      cp -RL --preserve=mode,timestamps "$thing" "$root$thing"
      libraries_of "$thing" $(find -L "$thing" -type f -name '*.so*')
      ;;
    *)
      path=$(PATH=$PATH:/usr/sbin:/sbin command -v "$thing") || { echo "There is no program $thing here." >&2; exit 1; }
      # Under its own name: some programs are links to another, and look at how they are called.
      cp -L --remove-destination "$path" "$root/bin/$thing"
      libraries_of "$path"
      ;;
  esac
done
archive() { tar -C "$root" -c .; }
if [ "$tag" = - ]; then archive; else archive | docker import --change 'ENV PATH=/bin' --change 'WORKDIR /data' - "$tag"; fi
