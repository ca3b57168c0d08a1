import {KEY_HEADER} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {maskHeaders} from '../../../sensitive/mask-request.ts'

/** Headers that cardctl or the connection sets, and what sets them in their place. */
const OWN: Readonly<Record<string, string>> = {
  'content-type': 'The body is JSON: pass it with --data, -f or -F.',
  'accept-encoding': 'cardctl chooses the encodings that it can read.',
  host: 'The host comes from the base URL of the profile.',
}
const OF_CONNECTION =
  /^(?::.*|connection|content-(?:encoding|length)|expect|forwarded|http2-settings|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|x-forwarded-.*)$/
const CREDENTIALS = 'Credentials come from the profile: see profiles edit --help.'

/**
 * The headers of `-H name:value`, names in lower case. Values are visible to other users of the machine, and the journal
 * and `--dry-run` have them, so nothing that may be secret is accepted.
 *
 * @param profile the headers in which the profile sends its credential, and idempotency keys.
 * @throws Failure USAGE or SENSITIVE_IN_ARGV, which never quote a value.
 */
export function readHeaders(
  given: readonly string[] | undefined,
  {credential, key: keyHeader}: {readonly credential: string | undefined; readonly key: string | undefined},
): Record<string, string> | undefined {
  if (given === undefined) return undefined
  const headers = new Map<string, string>()
  for (const [at, text] of given.entries()) {
    const [, name = '', value = ''] =
      /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t]*)$/.exec(text) ?? []
    if (name === '') {
      throw usage(
        `Header ${at + 1} is not of the form name:value, in ASCII.`,
        "For example: -H 'x-trace-id: 42'",
      )
    }
    const key = name.toLowerCase()
    const trimmed = value.trimEnd()
    const isKey = key === KEY_HEADER || key === keyHeader?.toLowerCase()
    const hint = isKey
      ? 'Pass the idempotency key with --idempotency-key.'
      : Object.hasOwn(OWN, key)
        ? OWN[key]
        : undefined
    if (hint !== undefined) throw usage(`The header ${name} cannot be set with -H.`, hint)
    if (OF_CONNECTION.test(key))
      throw usage(`The header ${name} belongs to the connection and cannot be set with -H.`, 'Leave it out.')
    if (key === credential?.toLowerCase() || maskHeaders({[key]: trimmed})[key] !== trimmed) {
      throw new Failure('SENSITIVE_IN_ARGV', {
        message: `The header ${name} holds a credential or a card number, or may hold one, so it cannot be set with -H.`,
        hint: CREDENTIALS,
        effect: 'none',
      })
    }
    if (headers.has(key))
      throw usage(`The header ${name} is given twice.`, 'Write its values in one -H, with commas.')
    headers.set(key, trimmed)
  }
  return Object.fromEntries(headers)
}

const usage = (message: string, hint: string): Failure =>
  new Failure('USAGE', {message, hint, effect: 'none'})
