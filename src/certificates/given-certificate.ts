import {createPrivateKey, type KeyObject, X509Certificate} from 'node:crypto'
import {Failure} from '../errors/failure.ts'
import type {Secret} from '../sensitive/secret.ts'

/** A PEM text with its name for messages: "--tls-cert (server.pem)". */
export interface Named<Text> {
  readonly text: Text
  readonly name: string
}

/** Checks that a private key belongs to a certificate. @throws Failure INPUT_INVALID if not. */
export function checkPair(cert: Named<string>, key: Named<Secret>): void {
  const [leaf] = certificatesIn(cert)
  if (leaf?.checkPrivateKey(privateKeyIn(key))) return
  throw invalid(`${key.name} is not the private key of ${cert.name}.`)
}

/** Returns the certificates of a file, without anything else in it. @throws Failure INPUT_INVALID if there are none. */
export function readAuthorities(file: Named<string>): string {
  return certificatesIn(file)
    .map(certificate => certificate.toString())
    .join('')
}

/** The first certificate is the server's own; its issuers may follow. */
function certificatesIn({text, name}: Named<string>): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw invalid(`${name} holds no certificate in PEM form.`)
  try {
    return blocks.map(block => new X509Certificate(block))
  } catch {
    throw invalid(`${name} holds a certificate that cannot be read.`)
  }
}

function privateKeyIn({text, name}: Named<Secret>): KeyObject {
  if (/ENCRYPTED/.test(text.open())) {
    throw invalid(
      `${name} has a passphrase, and cardctl does not ask for it. Use a key without a passphrase.`,
    )
  }
  try {
    return createPrivateKey(text.open())
  } catch {
    throw invalid(`${name} holds no private key in PEM form.`)
  }
}

const invalid = (message: string) => new Failure('INPUT_INVALID', {message, effect: 'none'})
