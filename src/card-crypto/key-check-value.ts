import {checkOptions, oneOf, wholeNumber} from '../errors/check-options.ts'
import {Failure} from '../errors/failure.ts'
import {AES_BLOCK, aesCmac, aesEncrypt} from './aes.ts'
import type {BytesLike} from './bytes.ts'
import {tdesEncrypt} from './tdes.ts'

/**
 * - `tdes`: the start of a zero block encrypted with the 3DES key (ANSI X9.24-1, annex A).
 * - `aes-cmac`: the start of the AES-CMAC of a zero block (ANSI X9.24-1:2017, annex A; ANSI X9.143).
 * - `aes-ecb`: the start of a zero block encrypted with the AES key; an older method that some systems still use.
 */
export type KeyCheckMethod = 'tdes' | 'aes-cmac' | 'aes-ecb'

export interface KeyCheckOptions {
  readonly method: KeyCheckMethod
  /** Length in bytes: 2 to 3, with `aes-cmac` 2 to 5. Default: the maximum. */
  readonly bytes?: number | undefined
}

const SHORTEST = 2

/** Longer check values reveal too much of the key (PCI PIN Security 3.1, requirement 15-1). */
const METHODS: Record<KeyCheckMethod, {longest: number; compute: (key: BytesLike) => Buffer}> = {
  tdes: {longest: 3, compute: key => tdesEncrypt(key, Buffer.alloc(8))},
  'aes-cmac': {longest: 5, compute: key => aesCmac(key, Buffer.alloc(AES_BLOCK))},
  'aes-ecb': {longest: 3, compute: key => aesEncrypt(key, Buffer.alloc(AES_BLOCK))},
}

/**
 * The key check value of a symmetric key in upper-case hex. It distinguishes keys without revealing them, and is not
 * secret.
 *
 * @example keyCheckValue(key, {method: 'tdes'})  // '08D7B4'
 *
 * @throws Failure KEY_INVALID for a key of the wrong length, INPUT_INVALID for another method or length.
 */
export function keyCheckValue(key: BytesLike, options: KeyCheckOptions): string {
  checkOptions<KeyCheckOptions>(
    'keyCheckValue',
    options,
    {method: oneOf(...Object.keys(METHODS)), bytes: wholeNumber(SHORTEST, 5)},
    ['method'],
  )
  const {longest, compute} = METHODS[options.method]
  const bytes = options.bytes ?? longest
  if (!Number.isInteger(bytes) || bytes < SHORTEST || bytes > longest) {
    throw new Failure('INPUT_INVALID', {
      message: `A key check value by ${options.method} has ${SHORTEST} to ${longest} bytes.`,
    })
  }
  return compute(key).subarray(0, bytes).toString('hex').toUpperCase()
}
