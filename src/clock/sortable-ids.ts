/** Crockford's base 32, as ULIDs use it (https://github.com/ulid/spec): no I, L, O, U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Random bits are fetched for this many ids at once: a call for each id would cost more than everything else about it.
 */
const POOL = 128

const RANDOM_BYTES = 10

/** The random bits are two halves, which are whole numbers of a double. */
const HALF_BITS = 40

const HALF = 2 ** HALF_BITS

/**
 * Makes ids that sort by time: a prefix, 48 bits of ms since 1970 and 80 random bits. Within one millisecond, or when
 * the clock is set back, the next id is the last one plus one, so the ids of a process always rise.
 */
export function sortableIds(options: {
  now(): number
  randomBytes(size: number): Uint8Array
}): (prefix: string) => string {
  let lastTime = -1
  let high = 0
  let low = 0
  // All but the last digits, which stay the same for most ids.
  let beginning = ''
  let pool: Uint8Array = new Uint8Array(0)
  const draw = () => {
    if (pool.length === 0) pool = options.randomBytes(POOL * RANDOM_BYTES)
    const bytes = pool.subarray(0, RANDOM_BYTES)
    pool = pool.subarray(RANDOM_BYTES)
    high = toNumber(bytes.subarray(0, 5))
    low = toNumber(bytes.subarray(5))
    beginning = encode(lastTime, 10) + encode(high, 8)
  }
  return prefix => {
    const time = Math.floor(options.now())
    if (time > lastTime) {
      lastTime = time
      draw()
    } else if (++low === HALF) {
      low = 0
      if (++high === HALF) {
        lastTime++
        draw()
      } else beginning = encode(lastTime, 10) + encode(high, 8)
    }
    // As one flat string: JSON.stringify takes twice as long for a concatenated one.
    return [prefix, beginning, encode(low, 8)].join('')
  }
}

const toNumber = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

function encode(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32))
    text = ALPHABET.charAt(rest % 32) + text
  return text
}
