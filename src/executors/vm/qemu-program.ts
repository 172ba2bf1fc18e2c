/** Program for x86-64 guests (Debian: qemu-system-x86). */
export const QEMU = 'qemu-system-x86_64';
export const QEMU_PACKAGE = 'qemu-system-x86';
