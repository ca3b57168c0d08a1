import type {KeyObject} from 'node:crypto'

/** Below it exponents invite cube-root attacks, and v2's unpadded RSA gives its message away. */
const SMALLEST_EXPONENT = 65_537n
/** FIPS 186-5, A.1.1. */
const EXPONENT_LIMIT = 2n ** 256n
/** Longer keys only cost time. */
const MOST_BITS = 8192
/** NIST SP 800-89, 5.3.3: no prime factor below this. */
const FACTOR_LIMIT = 752

/** Why an RSA key must not be used, or undefined (partial validation of NIST SP 800-89, 5.3.3). */
export function rsaKeyWeakness(key: KeyObject, leastBits: number): string | undefined {
  const {modulusLength = 0, publicExponent = 0n} = key.asymmetricKeyDetails ?? {}
  if (modulusLength < leastBits) return `it has ${modulusLength} bits, and ${leastBits} are needed`
  if (modulusLength > MOST_BITS) return `it has more than ${MOST_BITS} bits`
  if (publicExponent < SMALLEST_EXPONENT) return `its exponent is less than ${SMALLEST_EXPONENT}`
  if (publicExponent >= EXPONENT_LIMIT || publicExponent % 2n === 0n) return 'its exponent is unusable'
  return hasSmallFactor(key) ? 'its modulus is no product of two large primes' : undefined
}

function hasSmallFactor(key: KeyObject): boolean {
  const {n = ''} = key.export({format: 'jwk'})
  const modulus = BigInt(`0x0${Buffer.from(n, 'base64url').toString('hex')}`)
  for (let factor = 2n; factor < FACTOR_LIMIT; factor++) if (modulus % factor === 0n) return true
  return false
}
