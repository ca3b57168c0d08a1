import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {parseObject} from '../../../errors/is-object.ts'
import {writeNewFile} from '../../../files/named-output.ts'
import {readWhole, unreadableInput} from '../../../input/read-input.ts'
import {exceededLimit, inBytes, LIMITS} from '../../../limits/limits.ts'
import {isSignedBy} from '../../../sensitive/ed25519.ts'
import {fingerprintOf, ownFingerprint, signFor} from '../../data/shared/machine-key.ts'
import {isReported, type Reported} from './reported-shift.ts'

const FORMAT = 'cardctl report 1'
const PURPOSE = 'report'

/** A report of another machine, and the key that signed all of it. */
export interface SignedReport {
  readonly file: string
  /** Fingerprint of the key. */
  readonly key: string
  readonly report: Reported
}

/** Writes what this machine reports to a new file, signed with its key. @throws Failure OUTPUT_UNWRITABLE */
export async function writeSignedReport(
  {folders: {data}, printer}: Context,
  file: string,
  report: Reported,
): Promise<void> {
  await writeNewFile(file, [signedReport(data, report)])
  printer.note(`signed report written to ${file}, by the key ${ownFingerprint(data)}`)
}

/**
 * A report with a signature of the key of this machine: one line with the key and the signature, and one with the
 * report. Every byte of the file counts.
 */
function signedReport(data: string, report: Reported): string {
  const text = JSON.stringify(report)
  const {publicKey, signature} = signFor(data, [PURPOSE, text])
  return `${headLine(publicKey, signature)}\n${text}\n`
}

const headLine = (publicKey: unknown, signature: unknown): string =>
  JSON.stringify({format: FORMAT, publicKey, signature})

/**
 * Reads a signed report, and refuses it if a single byte is not as it was signed. Who owns the key is for the caller to
 * find out: anyone can make one.
 *
 * @throws Failure INPUT_INVALID
 */
export async function readSignedReport(file: string, signal: AbortSignal): Promise<SignedReport> {
  const {bytes: most} = LIMITS.report
  const bytes = await readWhole(file, signal, most).catch(error => {
    throw unreadableInput(file, error)
  })
  if (bytes === undefined) throw refused(file, `is larger than ${inBytes(most)}`)
  const text = bytes.toString('utf8')
  const [head = '', body = '', ...rest] = text.split('\n')
  const {format, publicKey, signature} = parseObject(head) ?? {}
  if (typeof format !== 'string' || !format.startsWith('cardctl report '))
    throw refused(file, 'is not a report that report shift --signed wrote, or its beginning was changed')
  if (format !== FORMAT && /^cardctl report \d{1,3}$/.test(format))
    throw refused(
      file,
      `was written by another version of cardctl ("${format}")`,
      'Update cardctl on both machines.',
    )
  // What is read must be all that is there: nothing before, between or after, and no other spelling of it.
  const isWhole = head === headLine(publicKey, signature) && rest.length === 1 && rest[0] === ''
  const isExact = Buffer.from(text).equals(bytes)
  if (!isWhole || !isExact || !isSignedBy(publicKey, [PURPOSE, body], signature))
    throw refused(file, 'is incomplete, or was changed after it was signed')
  if (exceededLimit(body, LIMITS.report) !== undefined)
    throw refused(file, 'holds more than a report can have')
  const report = parseObject(body)
  if (!isReported(report)) throw refused(file, 'is signed, but it is no report of a shift')
  return {file, key: fingerprintOf(String(publicKey)), report}
}

const refused = (
  file: string,
  why: string,
  hint = 'Nothing was reported. Get the file again: cardctl report shift --signed FILE on its machine.',
): Failure => new Failure('INPUT_INVALID', {message: `${file} ${why}.`, hint, effect: 'none'})
