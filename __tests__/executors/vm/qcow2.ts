const CLUSTER = 65_536;
const NAME_AT = 512;

/** An empty disk of 1 MiB in qcow2's version 3 (docs/interop/qcow2.txt of QEMU), which QEMU takes; based on another where one is given. */
export function qcow2({
  base,
  format,
  externalData = false,
  nameLength = base?.length ?? 0,
  length = 4 * CLUSTER,
}: {
  base?: string;
  format?: string;
  externalData?: boolean;
  nameLength?: number;
  length?: number;
}): Buffer {
  const image = Buffer.alloc(4 * CLUSTER);
  image.write('QFI\xfb', 0, 'latin1');
  image.writeUInt32BE(3, 4);
  image.writeBigUInt64BE(base === undefined ? 0n : BigInt(NAME_AT), 8);
  image.writeUInt32BE(nameLength, 16);
  image.writeUInt32BE(16, 20);
  image.writeBigUInt64BE(2n ** 20n, 24);
  // One table of the first level, in cluster 3; refcounts in 1 and 2.
  image.writeUInt32BE(1, 36);
  image.writeBigUInt64BE(BigInt(3 * CLUSTER), 40);
  image.writeBigUInt64BE(BigInt(CLUSTER), 48);
  image.writeUInt32BE(1, 56);
  image.writeBigUInt64BE(externalData ? 4n : 0n, 72);
  image.writeUInt32BE(4, 96);
  image.writeUInt32BE(104, 100);
  if (format !== undefined) {
    image.writeUInt32BE(0xe2792aca, 104);
    image.writeUInt32BE(format.length, 108);
    image.write(format, 112);
  }
  if (base !== undefined) image.write(base, NAME_AT);
  image.writeBigUInt64BE(BigInt(2 * CLUSTER), CLUSTER);
  for (let cluster = 0; cluster < 4; cluster++) image.writeUInt16BE(1, 2 * CLUSTER + 2 * cluster);
  return image.subarray(0, length);
}
