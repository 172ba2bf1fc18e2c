#!/bin/sh
# Usage: image-of-programs.sh TAG PROGRAM…
# Makes an image of this machine's own programs, the libraries that they need and busybox, without a registry: the same bytes run natively
# and in the container. Needs docker, busybox (statically linked, as Debian's busybox-static or busybox is) and ldd.
set -eu
tag=$1
shift
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/bin" "$root/tmp" "$root/data" "$root/etc"
chmod 1777 "$root/tmp"
cp "$(command -v busybox)" "$root/bin/busybox"
for applet in sh cat sleep mkdir echo; do ln -s busybox "$root/bin/$applet"; done
echo 'root:x:0:0::/:/bin/sh' > "$root/etc/passwd"
echo 'nobody:x:65534:65534::/:/bin/sh' >> "$root/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' > "$root/etc/group"
for program in "$@"; do
  path=$(PATH=$PATH:/usr/sbin:/sbin command -v "$program") || { echo "There is no program $program here." >&2; exit 1; }
  # Under its own name: some programs are links to another, and look at how they are called.
  cp -L "$path" "$root/bin/$program"
  ldd "$path" | grep -o '/[^ ]* (0x' | sed 's/ (0x$//' | while read -r library; do
    mkdir -p "$root${library%/*}"
    [ -e "$root$library" ] || cp -L "$library" "$root$library"
  done
done
tar -C "$root" -c . | docker import --change 'ENV PATH=/bin' --change 'WORKDIR /data' - "$tag"
