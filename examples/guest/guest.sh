#!/bin/sh
# Usage: guest.sh [FOLDER]
# Makes the guest of this example in system/: Debian's kernel for guests, an initial RAM disk of nothing but busybox and the drivers of its disks, and
# the busybox that runs everywhere. FOLDER: where Debian's kernel package is unpacked already (dpkg -x). Nothing is installed.
# Debian: apt-get install busybox-static qemu-system-x86
set -eu
kernel=${1:-}
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -z "$kernel" ]; then
  package=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-[^ ]*-cloud-amd64\).*/\1/p' | head -n 1)
  [ -n "$package" ] || { echo "There is no package linux-image-cloud-amd64 here: name a folder with an unpacked kernel package." >&2; exit 1; }
  kernel=$scratch/kernel
  (cd "$scratch" && apt-get download "$package" >&2 && dpkg -x ./*.deb kernel)
fi
rm -rf system
mkdir system
cp "$(command -v busybox)" system/busybox
cp "$kernel"/boot/vmlinuz-* system/vmlinuz

tree=$scratch/tree
for folder in bin lib proc sys dev tmp; do mkdir -p "$tree/$folder"; done
cp system/busybox "$tree/bin/busybox"
ln -s busybox "$tree/bin/sh"
# Each after those that it needs.
drivers='virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci virtio_blk'
for driver in $drivers; do
  found=$(find "$kernel/lib/modules" -name "$driver.ko*" | head -n 1)
  case $found in
    *.ko) cp "$found" "$tree/lib/$driver.ko" ;;
    *.ko.xz) xz -dc "$found" > "$tree/lib/$driver.ko" ;;
    *) echo "There is no $driver.ko in $kernel/lib/modules." >&2; exit 1 ;;
  esac
done
# All that a guest has to do for joulediff: a shell with root's rights at its second serial port.
cat > "$tree/init" << END
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for driver in $drivers; do insmod /lib/\$driver.ko; done
while :; do setsid sh < /dev/ttyS1 > /dev/ttyS1 2>&1; done
END
chmod 755 "$tree/init"
(cd "$tree" && find . | busybox cpio -o -H newc) | gzip -9 > system/initrd.gz
