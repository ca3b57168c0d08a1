import {join, resolve} from 'node:path'
import {Failure} from '../../../errors/failure.ts'
import {digestOfFile} from '../../../input/file-digest.ts'
import {readWhole, unreadableInput} from '../../../input/read-input.ts'
import {sshKeysIn, sshSigner} from './ssh-signature.ts'

const SUMS = 'SHA256SUMS'
/** What tools/sign-release.ts signs for. */
const NAMESPACE = 'cardctl-release'
const MOST_BYTES = 1024 * 1024

/** A file of a release whose signature and checksum are right. */
export interface VerifiedRelease {
  readonly version: string
  readonly file: string
  /** Compared with the version that runs. */
  readonly age: 'newer' | 'same' | 'older'
}

/**
 * Checks the signature of a release that was downloaded, and the file of it for an installation. Nothing about its
 * version is said before both are right.
 *
 * @param nameOf the name of that file, by version
 * @throws Failure INPUT_INVALID where anything of it is missing, was not signed by the signers or differs
 */
export async function verifiedRelease(
  {folder, signers, running}: {readonly folder: string; readonly signers: string; readonly running: string},
  nameOf: (version: string) => string,
  signal: AbortSignal,
): Promise<VerifiedRelease> {
  const read = async (path: string): Promise<Buffer> => {
    try {
      const bytes = await readWhole(path, signal, MOST_BYTES)
      if (bytes !== undefined) return bytes
    } catch (error) {
      throw unreadableInput(path, error)
    }
    throw notGenuine(`${path} is too long.`)
  }
  const keys = sshKeysIn((await read(signers)).toString())
  if (keys.length === 0)
    throw new Failure('INPUT_INVALID', {
      message: `${signers} has no Ed25519 key of SSH.`,
      hint: 'Ask the people who maintain cardctl for you for the file of their public keys.',
      effect: 'none',
    })
  const sums = await read(join(folder, SUMS))
  const signature = (await read(join(folder, `${SUMS}.sig`))).toString()
  if (sshSigner(sums, signature, {namespace: NAMESPACE, keys}) === undefined)
    throw notGenuine(`${join(folder, SUMS)} was not signed by a key in ${signers}.`)
  return releasedFile(sums.toString(), folder, {running, nameOf})
}

async function releasedFile(
  sums: string,
  folder: string,
  {running, nameOf}: {readonly running: string; nameOf(version: string): string},
): Promise<VerifiedRelease> {
  const digests = new Map(sums.split('\n').map(line => [line.slice(66), line.slice(0, 64)]))
  const versions = new Set(
    [...digests.keys()].flatMap(name => /^cardctl-(\d+\.\d+\.\d+)\.tgz$/.exec(name)?.[1] ?? []),
  )
  const [version] = versions
  if (version === undefined || versions.size > 1)
    throw notGenuine(`${join(folder, SUMS)} is not that of one release.`)
  const name = nameOf(version)
  // A name alone could be one of a registry for npm.
  const file = resolve(folder, name)
  const digest = digests.get(name)
  if (digest === undefined) throw notGenuine(`The release has no ${name}, which this installation needs.`)
  if ((await digestOfFile(file)) !== digest) throw notGenuine(`${file} is not the file that was signed.`)
  return {version, file, age: ageOf(version, running)}
}

function ageOf(version: string, running: string): VerifiedRelease['age'] {
  const compared = version.localeCompare(running, 'en', {numeric: true})
  if (compared === 0) return 'same'
  return compared > 0 ? 'newer' : 'older'
}

const notGenuine = (message: string): Failure =>
  new Failure('INPUT_INVALID', {
    message,
    hint: 'Install nothing of it. Get all files of the release again, and the public keys another way than the files.',
    effect: 'none',
  })
