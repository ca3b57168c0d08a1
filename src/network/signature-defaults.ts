/** How a signature is written and what it covers. */
export interface SignatureForm {
  /** The header with the signature. */
  readonly header: string
  /** The header with the time, in whole seconds since 1970. */
  readonly timestampHeader: string
  /** The header with the id of the message. */
  readonly idHeader: string
  /**
   * What is signed: text with `{body}`, the bytes of the body, `{timestamp}` and `{id}`, as their headers have them.
   * Without `{timestamp}` there is no time, so an old call can't be told from a new one.
   */
  readonly signed: string
  readonly encoding: 'hex' | 'base64'
  /** What comes before the signature in its header, such as `sha256=`. */
  readonly prefix: string
  /** `text`: the bytes of the key as it is. `base64`: those that it stands for, after `whsec_` if it begins so. */
  readonly keyEncoding: 'text' | 'base64'
  /** How far the time of a call may differ from now, either way. */
  readonly toleranceMs: number
}

/** How calls are signed where nothing else is said. */
export const SIGNATURE_DEFAULTS: SignatureForm = {
  header: 'x-signature',
  timestampHeader: 'x-signature-timestamp',
  idHeader: 'x-signature-id',
  signed: '{timestamp}.{body}',
  encoding: 'hex',
  prefix: '',
  keyEncoding: 'text',
  toleranceMs: 300_000,
}

/**
 * Forms that have a name. Standard Webhooks: https://www.standardwebhooks.com, with symmetric keys. Apart from the signing
 * itself, because every command reads profiles.
 */
export const SIGNATURE_PRESETS = {
  plain: SIGNATURE_DEFAULTS,
  'standard-webhooks': {
    ...SIGNATURE_DEFAULTS,
    header: 'webhook-signature',
    timestampHeader: 'webhook-timestamp',
    idHeader: 'webhook-id',
    signed: '{id}.{timestamp}.{body}',
    encoding: 'base64',
    prefix: 'v1,',
    keyEncoding: 'base64',
  },
} as const satisfies Readonly<Record<string, SignatureForm>>

export type SignaturePreset = keyof typeof SIGNATURE_PRESETS

export const SIGNATURE_PRESET_NAMES = Object.keys(SIGNATURE_PRESETS) as SignaturePreset[]

/** Separates the placeholders of `signed` from the text between them. */
export const PLACEHOLDER = /(\{[^{}]*\})/

/** What is wrong with a text for `signed`, continuing a sentence that begins with its name; undefined if it can be used. */
export function signedProblem(signed: string): string | undefined {
  const names = signed.split(PLACEHOLDER).filter((_, at) => at % 2 === 1)
  if (names.some(name => !['{body}', '{timestamp}', '{id}'].includes(name)))
    return 'may have {id}, {timestamp} and {body}, and no other placeholder'
  return names.filter(name => name === '{body}').length === 1 ? undefined : 'must have {body} once'
}

/** The bytes that a key stands for. */
export const keyBytes = (key: string, {keyEncoding}: Pick<SignatureForm, 'keyEncoding'>): Buffer =>
  keyEncoding === 'text' ? Buffer.from(key, 'utf8') : Buffer.from(key.replace(/^whsec_/, ''), 'base64')

/** What is wrong with a key, continuing a sentence; undefined if it can be used. With an empty key everybody could sign. */
export function keyProblem(key: string, form: Pick<SignatureForm, 'keyEncoding'>): string | undefined {
  if (form.keyEncoding === 'text') return key === '' ? 'must not be empty' : undefined
  const {length} = keyBytes(key, form)
  const isBase64 = /^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(key)
  return isBase64 && length >= 24 && length <= 64
    ? undefined
    : 'must be 24 to 64 bytes in Base64, with or without whsec_ before it'
}
