/** Crockford's base 32, as ULIDs use it (https://github.com/ulid/spec): no I, L, O, U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM_BITS = 80n

/**
 * Makes ids that sort by time: a prefix, 48 bits of ms since 1970 and 80 random bits. Within one millisecond, or when the
 * clock steps back, the next id is the last one plus one, so that ids of one process always rise.
 */
export function sortableIds(options: {
  now(): number
  randomBytes(size: number): Uint8Array
}): (prefix: string) => string {
  let lastTime = -1
  let lastRandom = 0n
  return prefix => {
    const time = Math.floor(options.now())
    if (time > lastTime) {
      lastTime = time
      lastRandom = toNumber(options.randomBytes(10))
    } else if (++lastRandom >> RANDOM_BITS !== 0n) {
      lastTime++
      lastRandom = toNumber(options.randomBytes(10))
    }
    return prefix + encode(BigInt(lastTime), 10) + encode(lastRandom, 16)
  }
}

function toNumber(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}

function encode(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest >>= 5n) text = ALPHABET.charAt(Number(rest & 31n)) + text
  return text
}
