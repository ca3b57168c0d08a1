import {createPrivateKey, createPublicKey, type KeyObject, sign, verify} from 'node:crypto'

/** Length of a private and of a public key, in bytes. */
export const KEY_BYTES = 32

/** What RFC 8410 puts before the bytes of a private (PKCS #8) and of a public key (SPKI). */
const PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC = Buffer.from('302a300506032b6570032100', 'hex')

const privateKey = (key: Buffer): KeyObject =>
  createPrivateKey({key: Buffer.concat([PRIVATE, key]), format: 'der', type: 'pkcs8'})

/** The public key of a private one (Ed25519, RFC 8032), in hex: it names the key, and tells nothing about it. */
export function publicKeyOf(key: Buffer): string {
  const encoded = createPublicKey(privateKey(key)).export({format: 'der', type: 'spki'})
  return encoded.subarray(PUBLIC.length).toString('hex')
}

/** A signature, in hex. @param facts with their purpose, so that none is taken for one of other facts. */
export const signFacts = (facts: readonly unknown[], key: Buffer): string =>
  sign(null, Buffer.from(JSON.stringify(facts)), privateKey(key)).toString('hex')

/** Whether the owner of a public key signed these facts. Both may be anything that a file has. */
export function isSignedBy(publicKey: unknown, facts: readonly unknown[], signature: unknown): boolean {
  if (typeof publicKey !== 'string' || typeof signature !== 'string') return false
  if (!/^[0-9a-f]{64}$/.test(publicKey) || !/^[0-9a-f]{128}$/.test(signature)) return false
  const key = Buffer.concat([PUBLIC, Buffer.from(publicKey, 'hex')])
  try {
    return verify(
      null,
      Buffer.from(JSON.stringify(facts)),
      createPublicKey({key, format: 'der', type: 'spki'}),
      Buffer.from(signature, 'hex'),
    )
  } catch {
    // Not a point of the curve.
    return false
  }
}
