/** The high and low halves of each byte, in order. */
export function toNibbles(bytes: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(bytes.length * 2)
  bytes.forEach((byte, i) => {
    nibbles[2 * i] = byte >> 4
    nibbles[2 * i + 1] = byte & 0x0f
  })
  return nibbles
}

/** The bytes that pairs of nibbles form; an even number of them. */
export function fromNibbles(nibbles: Uint8Array): Buffer {
  const bytes = Buffer.alloc(nibbles.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = ((nibbles[2 * i] ?? 0) << 4) | (nibbles[2 * i + 1] ?? 0)
  return bytes
}
