/**
 * How calls are signed where nothing else is said, and what may be signed. Apart from the signing itself, because every
 * command reads profiles.
 */
export const SIGNATURE_DEFAULTS = {
  header: 'x-signature',
  timestampHeader: 'x-signature-timestamp',
  signed: '{timestamp}.{body}',
  encoding: 'hex',
  prefix: '',
  toleranceMs: 300_000,
} as const

/** Separates the placeholders of `signed` from the text between them. */
export const PLACEHOLDER = /(\{[^{}]*\})/

/** What is wrong with a text for `signed`, continuing a sentence that begins with its name; undefined if it can be used. */
export function signedProblem(signed: string): string | undefined {
  const names = signed.split(PLACEHOLDER).filter((_, at) => at % 2 === 1)
  if (names.some(name => name !== '{body}' && name !== '{timestamp}'))
    return 'may have {timestamp} and {body}, and no other placeholder'
  return names.filter(name => name === '{body}').length === 1 ? undefined : 'must have {body} once'
}
