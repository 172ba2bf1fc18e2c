/** The frames in everything that was sent to a meter; throws where anything else is between them. */
export function framesIn(received: string): string[] {
  const bytes = Buffer.from(received, 'latin1');
  const frames: string[] = [];
  for (let at = 0; at < bytes.length; at += 8) {
    const frame = bytes.subarray(at, at + 8);
    if (frame[0] !== 0xa5 || frame[1] !== frame.length) throw new Error(`no frame: ${frame.toString('hex')}`);
    frames.push(frame.toString('hex'));
  }
  return frames;
}
