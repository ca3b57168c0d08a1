import {randomBytes} from 'node:crypto'
import {rm} from 'node:fs/promises'
import {join} from 'node:path'
import {checkPair, makeCertificate, readAuthorities} from '../../certificates/index.ts'
import {Failure} from '../../errors/failure.ts'
import {replaceFile} from '../../files/replace-file.ts'
import {makeFolder, readReference} from '../../profiles/index.ts'
import {Secret} from '../../sensitive/secret.ts'
import type {Context} from '../context.ts'
import type {FlagValues} from '../flags.ts'
import {readFlagFile} from '../read-text.ts'
import type {Surroundings} from '../surroundings.ts'
import type {certificateFlags, servingFlags} from './serving-flags.ts'

type ServerTlsFlags = FlagValues<Pick<typeof servingFlags, 'host' | 'tls'> & typeof certificateFlags>

/** TLS of a server; all texts are PEM. */
export interface ServerTls {
  readonly cert: string
  readonly key: Secret
  /** Callers need a certificate of these authorities (mTLS). */
  readonly clientCa?: string
  /** Whether the certificate was made for this run, so that callers must trust it explicitly. */
  readonly made: boolean
}

/**
 * A certificate made for this run, or the given one.
 * @throws Failure USAGE, INPUT_INVALID, SECRET_MISSING, SENSITIVE_IN_ARGV; none of them quotes a key.
 */
export async function readServerTls(context: Context, flags: ServerTlsFlags): Promise<ServerTls | undefined> {
  const {host, 'tls-cert': certFile, 'tls-key': keyFile, 'client-ca': caFile} = flags
  if (!flags.tls && certFile === undefined && keyFile === undefined) {
    if (caFile === undefined) return undefined
    throw new Failure('USAGE', {message: '--client-ca needs --tls, or --tls-cert and --tls-key.'})
  }
  const mutual =
    caFile === undefined
      ? {}
      : {clientCa: await readAuthorityFile('--client-ca', caFile, context.surroundings)}
  if (certFile === undefined && keyFile === undefined) {
    const {cert, key} = makeCertificate(host, context.surroundings.now(), randomBytes)
    return {cert, key: new Secret(key), ...mutual, made: true}
  }
  if (certFile === undefined || keyFile === undefined) {
    throw new Failure('USAGE', {message: 'Pass --tls-cert and --tls-key together.'})
  }
  const cert = await readFlagFile('--tls-cert', certFile, context.surroundings)
  const key = await readKey(context, keyFile)
  checkPair(cert, {text: key, name: `--tls-key (${keyFile})`})
  return {cert: cert.text, key, ...mutual, made: false}
}

/** The certificates in the file of a flag. @throws Failure INPUT_INVALID if it has none. */
export async function readAuthorityFile(
  flag: string,
  path: string,
  surroundings: Surroundings,
): Promise<string> {
  return readAuthorities(await readFlagFile(flag, path, surroundings))
}

async function readKey({surroundings, printer}: Context, path: string): Promise<Secret> {
  if (path.startsWith('-----')) {
    throw new Failure('SENSITIVE_IN_ARGV', {
      message: '--tls-key takes the path of a file, not the key itself.',
      effect: 'none',
    })
  }
  const notify = ({message}: {message: string}) => printer.warn(message)
  return readReference(`file:${path}`, 'the key of the server', {...surroundings, notify})
}

/** The file of a certificate that was made for a run. */
export interface CertificateFile {
  readonly path: string
  remove(): Promise<void>
}

/**
 * Writes it to a file while the server runs, so that `profiles add --ca` and the options of other programs can name it.
 */
export async function writeCertificate(
  context: Context,
  topic: 'sandbox' | 'webhook',
  {cert, url}: {readonly cert: string; readonly url: string},
): Promise<CertificateFile> {
  const folder = join(context.folders.data, topic)
  makeFolder(folder, context.surroundings.platform)
  const path = join(folder, `server-${new URL(url).port}.pem`)
  await replaceFile(path, [cert])
  return {path, remove: () => rm(path, {force: true})}
}
