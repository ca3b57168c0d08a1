import {readFile} from 'node:fs/promises'
import {type ConnectionOptions, createSecureContext} from 'node:tls'
import {reasonOf} from '../errors/system-reason.ts'
import {type Place, refused} from './place.ts'

/** Options of TLS, and the parameters of the URL that name their PEM files. */
const FILES = [
  ['ca', 'sslrootcert'],
  ['cert', 'sslcert'],
  ['key', 'sslkey'],
] as const

/** What TLS to a database needs. */
export type TlsTexts = Pick<ConnectionOptions, 'ca' | 'cert' | 'key'>

/**
 * Reads the files of TLS that a URL names.
 *
 * @param ca instead of `sslrootcert`.
 * @throws Failure INPUT_INVALID
 */
export async function readTlsFiles({files}: Pick<Place, 'files'>, ca: string | undefined): Promise<TlsTexts> {
  const read: Record<string, string> = {}
  for (const [option, parameter] of FILES) {
    const path = files[parameter]
    try {
      if (path !== undefined) read[option] = await readFile(path, 'utf8')
    } catch (error) {
      throw refused(`the file of its ${parameter} cannot be read: ${reasonOf(error)}`)
    }
  }
  const texts: TlsTexts = ca === undefined ? read : {...read, ca}
  try {
    createSecureContext(texts)
  } catch {
    // The message of OpenSSL may quote the key.
    throw refused(
      'the files of its sslrootcert, sslcert and sslkey, or of --store-ca, are no PEM files, or the key is not that of the certificate',
    )
  }
  return texts
}
