import {
  constants,
  createCipheriv,
  createDecipheriv,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  randomBytes,
} from 'node:crypto'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Home} from './cli.ts'

/**
 * The cardholder's device: has a key pair, decrypts what is encrypted for it, builds PIN blocks. Uses
 * node:crypto alone, so that it checks our own card-crypto from outside.
 */
export interface Device {
  /** The file with its public key, for `--public-key`. */
  readonly publicKeyFile: string
  /** The bytes of a base64 ciphertext that was made for this device by v3: OAEP with SHA-256. */
  open(ciphertext: string): Buffer
  /** A PIN as v2 and v3 take it: base64 of a format 1 block, encrypted with the tzpk. */
  pinBlock(tzpk: string, pin: string): string
  /** The PIN in the response of a view. */
  readPin(answer: {readonly tzpk: string; readonly pinBlock: string}): string
}

let made = 0
type KeyPair = Readonly<Record<'publicKey' | 'privateKey', KeyObject>>

const keyPairs: Record<string, KeyPair> = {}

/** Making a key pair takes longer than most commands run, so there are two for each version, in turn. */
function keyPair(version: 'v2' | 'v3', number: number): KeyPair {
  const name = `${version}-${number % 2}`
  keyPairs[name] ??= generateKeyPairSync('rsa', {modulusLength: version === 'v2' ? 1024 : 2048})
  return keyPairs[name]
}

export async function makeDevice(home: Home, version: 'v2' | 'v3' = 'v3'): Promise<Device> {
  const {publicKey, privateKey} = keyPair(version, made)
  const publicKeyFile = join(home.folder, `device-${++made}.pem`)
  await writeFile(publicKeyFile, publicKey.export({type: 'spki', format: 'pem'}))
  const open = (ciphertext: string): Buffer => openRsa(privateKey, version, Buffer.from(ciphertext, 'base64'))
  const wide = (tzpk: string): Buffer => {
    const key = open(tzpk)
    if (key.length !== 16) throw new Error(`The tzpk has ${key.length} bytes and not 16`)
    return Buffer.concat([key, key.subarray(0, 8)])
  }
  return {
    publicKeyFile,
    open,
    pinBlock: (tzpk, pin) => {
      const fill = randomBytes(7).toString('hex')
      const clear = Buffer.from(`1${pin.length.toString(16)}${pin}${fill}`.slice(0, 16), 'hex')
      const cipher = createCipheriv('des-ede3-ecb', wide(tzpk), null).setAutoPadding(false)
      return Buffer.concat([cipher.update(clear), cipher.final()]).toString('base64')
    },
    readPin: ({tzpk, pinBlock}) => {
      const decipher = createDecipheriv('des-ede3-ecb', wide(tzpk), null).setAutoPadding(false)
      const clear = Buffer.concat([decipher.update(Buffer.from(pinBlock, 'base64')), decipher.final()])
      const digits = clear.toString('hex')
      if (digits[0] !== '1') throw new Error('The PIN block is not of format 1')
      return digits.slice(2, 2 + Number.parseInt(digits[1] ?? '', 16))
    },
  }
}

function openRsa(key: KeyObject, version: 'v2' | 'v3', bytes: Buffer): Buffer {
  if (version === 'v3') {
    return privateDecrypt({key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256'}, bytes)
  }
  // v2 pads with zeros on the left; the key is at the end.
  return privateDecrypt({key, padding: constants.RSA_NO_PADDING}, bytes).subarray(-16)
}

/** A control id for one use of the PIN operations. */
export async function controlId(home: Home, plastic: string, scope: 'view' | 'set'): Promise<string> {
  const {id} = await home.json<{id: string}>(['pincontrol', 'create', plastic, '--scope', scope])
  const file = join(home.folder, `control-${id}`)
  await writeFile(file, id)
  return `file:${file}`
}
