#!/bin/sh
# Usage: guest-of-programs.sh SYSTEM PROGRAM|/PATH…
# Makes a guest of this machine's own programs (as image-of-programs.sh takes them) in the folder SYSTEM: Debian's kernel for guests, and an initial
# RAM disk with busybox, the programs, and the drivers of its disks and its network card. Nothing is installed. Its shell is busybox's, which runs its
# own commands of a program's name: write run: as a list, or name the program's path (/bin/gzip).
# KERNEL: a folder where Debian's kernel package is unpacked already (dpkg -x). Debian: apt-get install busybox-static qemu-system-x86
set -eu
system=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -z "${KERNEL:-}" ]; then
  package=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-[^ ]*-cloud-amd64\).*/\1/p' | head -n 1)
  [ -n "$package" ] || { echo "There is no package linux-image-cloud-amd64 here: set KERNEL to a folder with an unpacked kernel package." >&2; exit 1; }
  KERNEL=$scratch/kernel
  (cd "$scratch" && apt-get download "$package" >&2 && dpkg -x ./*.deb kernel)
fi
rm -rf "$system"
mkdir "$system"
cp "$KERNEL"/boot/vmlinuz-* "$system/vmlinuz"

tree=$scratch/tree
mkdir "$tree"
"$(dirname "$0")/image-of-programs.sh" - "$@" > "$scratch/tree.tar"
tar -C "$tree" -xf "$scratch/tree.tar"
for folder in proc sys dev drivers disk; do mkdir -p "$tree/$folder"; done
# Each after those that it needs.
drivers='virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci virtio_blk failover net_failover virtio_net'
for driver in $drivers; do
  found=$(find "$KERNEL/lib/modules" -name "$driver.ko*" | head -n 1)
  case $found in
    *.ko) cp "$found" "$tree/drivers/$driver.ko" ;;
    *.ko.xz) xz -dc "$found" > "$tree/drivers/$driver.ko" ;;
    *) echo "There is no $driver.ko in $KERNEL/lib/modules." >&2; exit 1 ;;
  esac
done
# All that a guest has to do for joulediff: a shell with root's rights at its second serial port. A disk with a file system is at /disk.
cat > "$tree/init" << END
#!/bin/busybox sh
export PATH=/bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for driver in $drivers; do insmod /drivers/\$driver.ko; done
mkdir -p /dev/shm; mount -t tmpfs shm /dev/shm; mount -t ext4 /dev/vda /disk 2> /dev/null
while :; do setsid sh < /dev/ttyS1 > /dev/ttyS1 2>&1; done
END
chmod 755 "$tree/init"
(cd "$tree" && find . | busybox cpio -o -H newc) | gzip -6 > "$system/initrd.gz"
