import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';

/**
 * Packs data for the page: JSON, deflated (RFC 1951), in base64. The compressor is JavaScript, because
 * zlib's output differs between processors, and the same analysis must give the same page.
 */
export function pack(value: unknown): string {
  const bytes = deflateSync(strToU8(JSON.stringify(value)), { level: 9 });
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

/** Inverse of `pack`. Throws an Error for anything else. */
export function unpack(text: string): unknown {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return JSON.parse(strFromU8(inflateSync(bytes)));
}
