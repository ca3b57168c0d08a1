import {createHash, createPublicKey, verify} from 'node:crypto'

/** A public key of SSH, as its line has it. */
export interface SshKey {
  readonly type: string
  /** In the form of the wire, RFC 4253 section 6.6. */
  readonly bytes: Buffer
}

const KEY = /(?:^|\s)((?:sk-)?ssh-ed25519(?:@openssh\.com)?) ([A-Za-z0-9+/=]+)/

/**
 * The Ed25519 keys in lines as `key.pub` or a file of allowed signers has them, those on a security key included. Lines
 * without one are left out.
 */
export const sshKeysIn = (text: string): readonly SshKey[] =>
  text.split(/\r?\n/).flatMap(line => {
    const [, type, base64] = (line.startsWith('#') ? null : KEY.exec(line)) ?? []
    return type === undefined || base64 === undefined ? [] : [{type, bytes: Buffer.from(base64, 'base64')}]
  })

/**
 * The key among these that made a signature of `ssh-keygen -Y sign` over a message; undefined if none did. The format
 * is PROTOCOL.sshsig of OpenSSH, that of security keys PROTOCOL.u2f.
 *
 * @param armored with its lines BEGIN and END
 */
export function sshSigner(
  message: Buffer,
  armored: string,
  {namespace, keys}: {readonly namespace: string; readonly keys: readonly SshKey[]},
): SshKey | undefined {
  const base64 = /-----BEGIN SSH SIGNATURE-----([^-]*)-----END SSH SIGNATURE-----/.exec(armored)?.[1]
  if (base64 === undefined) return undefined
  try {
    return signerOf(message, new Reader(Buffer.from(base64, 'base64')), namespace, keys)
  } catch (error) {
    // What ends too early is no signature.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function signerOf(
  message: Buffer,
  blob: Reader,
  namespace: string,
  keys: readonly SshKey[],
): SshKey | undefined {
  if (blob.take(6).toString() !== 'SSHSIG' || blob.number() !== 1) return undefined
  const publicKey = blob.text()
  const [signedNamespace, reserved, hash] = [blob.text(), blob.text(), blob.text()]
  const signature = new Reader(blob.text())
  const key = keys.find(({bytes}) => bytes.equals(publicKey))
  if (key === undefined || signedNamespace.toString() !== namespace) return undefined
  if (!['sha256', 'sha512'].includes(hash.toString())) return undefined
  const digest = createHash(hash.toString()).update(message).digest()
  const signed = Buffer.concat([
    Buffer.from('SSHSIG'),
    ...[signedNamespace, reserved, hash, digest].map(withLength),
  ])
  return isSignedBy(new Reader(publicKey), signature, signed) ? key : undefined
}

function isSignedBy(key: Reader, signature: Reader, signed: Buffer): boolean {
  const type = key.text().toString()
  if (signature.text().toString() !== type) return false
  const point = key.text()
  const bytes = signature.text()
  if (point.length !== 32) return false
  const publicKey = createPublicKey({
    key: {kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url')},
    format: 'jwk',
  })
  return verify(
    null,
    type === 'ssh-ed25519' ? signed : ofSecurityKey(key, signature, signed),
    publicKey,
    bytes,
  )
}

/** What a security key signs: the digest of its application, its flags and counter, and the digest of the message. */
function ofSecurityKey(key: Reader, signature: Reader, signed: Buffer): Buffer {
  const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
  return Buffer.concat([sha256(key.text()), signature.take(5), sha256(signed)])
}

/** A string of SSH, RFC 4251 section 5. */
function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

class Reader {
  #at = 0
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** @throws RangeError where there are fewer bytes */
  take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RangeError('The bytes end too early')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  number(): number {
    return this.take(4).readUInt32BE()
  }

  text(): Buffer {
    return this.take(this.number())
  }
}
