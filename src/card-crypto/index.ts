/**
 * `cardctl/card-crypto`: pure functions of a card issuer's cryptography. ISO 9564-1 PIN blocks, key check values, 3DES,
 * AES-CMAC, RSA-OAEP, JWE, PIN and card number checks. PINs and keys are bytes, bare or wrapped in a `Secret`.
 * Confidential results are a `Secret`, which prints as a mask; `.open()` returns the bytes. Every expected failure is a
 * `Failure` with a stable `code`.
 */
export {Failure} from '../errors/failure.ts'
export {isLuhnValid} from '../sensitive/luhn-windows.ts'
export {Secret} from '../sensitive/secret.ts'
export {aesCmac} from './aes.ts'
export type {BytesLike, PanLike, RandomSource} from './bytes.ts'
export {decodeBase64} from './bytes.ts'
export type {Mgf1Hash} from './eme-oaep.ts'
export {decryptCardNumber, decryptJwe, encryptCardNumber, encryptJwe, type PrivateKeyFinder} from './jwe.ts'
export {type JweRecipient, jwkThumbprint, publicJwk, type RecipientChoice, readRecipientKey} from './jwk.ts'
export {type KeyCheckMethod, type KeyCheckOptions, keyCheckValue} from './key-check-value.ts'
export {type PanProblem, panProblem} from './pan.ts'
export {
  type DecodePinBlockInput,
  decodePinBlock,
  type EncodePinBlockInput,
  encodePinBlock,
  type PinBlockOptions,
} from './pin-block.ts'
export type {PinBlockFault, PinBlockFormat} from './pin-field.ts'
export {type CardOfPin, type PinProblem, type PinProblemReason, pinProblem} from './pin-rules.ts'
export {
  exportPublicKey,
  generateRsaPair,
  importPublicKey,
  publicKeyFingerprint,
  type RsaPair,
  type RsaUse,
} from './rsa-key.ts'
export {type OaepEncryptOptions, rsaOaepDecrypt, rsaOaepEncrypt} from './rsa-oaep.ts'
export {rsaUnpaddedDecrypt, rsaUnpaddedEncrypt} from './rsa-unpadded.ts'
export {generateTdesKey, tdesDecrypt, tdesEncrypt, widenKey} from './tdes.ts'
